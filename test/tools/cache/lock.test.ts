import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { withLock } from '../../../tools/cache/lock.ts';

const root = mkdtempSync(join(tmpdir(), 'longshore-lock-'));
afterAll(() => rmSync(root, { recursive: true }));
const newLock = () => join(mkdtempSync(join(root, 'folder-')), 'nested', 'lock');

test('two at once take turns, and the one that waits is told for whom, once', async () => {
  const path = newLock();
  const events: string[] = [];
  const begun = Promise.withResolvers<void>();
  const work = (name: string) => async () => {
    events.push(`${name} begins`);
    begun.resolve();
    // Longer than it takes to look twice whether the lock is free.
    await pause(500);
    events.push(`${name} ends`);
  };
  const first = withLock(path, work('first'));
  await begun.promise;
  const second = withLock(path, work('second'), (owner) => events.push(`waits for ${owner}`));
  await Promise.all([first, second]);
  expect(events).toEqual(['first begins', `waits for ${process.pid}`, 'first ends', 'second begins', 'second ends']);
  expect(existsSync(path)).toBe(false);
});

test('work that fails gives the lock back', async () => {
  const path = newLock();
  await expect(withLock(path, () => Promise.reject(new Error('no space left')))).rejects.toThrow('no space left');
  expect(await withLock(path, async () => 'done')).toBe('done');
});

test.each([
  ['whose process was killed', (path: string) => writeFileSync(path, `${deadProcess()} of an earlier run`)],
  [
    'that nobody touched for long, although the id is in use again',
    (path: string) => abandon(path, `${process.pid} of an earlier run`),
  ],
  ['whose owner was killed before it wrote its id', (path: string) => abandon(path, '')],
])('a lock %s is taken over by one of many', async (_, leave) => {
  const path = newLock();
  await withLock(path, async () => undefined);
  leave(path);
  let atWork = 0;
  const work = async () => {
    atWork += 1;
    expect(atWork).toBe(1);
    await pause(5);
    atWork -= 1;
  };
  await Promise.all(Array.from({ length: 5 }, () => withLock(path, work)));
  expect(readdirSync(join(path, '..'))).toEqual([]);
});

function deadProcess(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

function abandon(path: string, content: string): void {
  writeFileSync(path, content);
  const longAgo = new Date(Date.now() - 10 * 60_000);
  utimesSync(path, longAgo, longAgo);
}
