import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../../tools/processes/free-port.ts';
import { startKept, tailOf } from '../../../tools/processes/kept-process.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-processes-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a free port can be bound', async () => {
  const port = await freePort();
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  expect(server.address()).toMatchObject({ port });
  await new Promise((resolve) => server.close(resolve));
});

test('a program that is stopped is gone, and its folder with it', async () => {
  const work = await mkdtemp(join(folder, 'work-'));
  const kept = startKept({
    command: process.execPath,
    args: ['-e', 'setInterval(() => {}, 1000)'],
    environment: {},
    folder: work,
    logPath: join(folder, 'kept.log'),
  });
  expect(kept.ended()).toBeUndefined();
  await kept.stop();
  expect(kept.ended()).toBeDefined();
  expect(existsSync(work)).toBe(false);
});

test('the end of a log is read, and a log that is not there is empty', async () => {
  const path = join(folder, 'some.log');
  await writeFile(path, 'one\ntwo\nthree\n');
  expect(await tailOf(path, 2)).toBe('two\nthree');
  expect(await tailOf(join(folder, 'missing.log'))).toBe('');
});
