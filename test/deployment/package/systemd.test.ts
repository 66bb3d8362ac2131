import { spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { repository } from '../../../deployment/package/bundle.ts';

const unit = join(repository, 'deployment/longshore.service');
const isHere = spawnSync('systemd-analyze', ['--version']).status === 0;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-unit-'));
});
afterAll(() => rm(folder, { recursive: true }));

const analyze = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
};

/** Not every machine has systemd. */
(isHere ? test : test.skip)('systemd accepts the unit, and finds it hardened', async () => {
  const path = join(folder, 'longshore.service');
  await copyFile(unit, path);
  expect(analyze('verify', path)).toEqual({ status: 0, said: '' });
  // Of 100: the threshold of what systemd calls fine.
  expect(analyze('security', '--offline=true', '--threshold=20', path)).toMatchObject({ status: 0 });
  const text = await readFile(unit, 'utf8');
  await writeFile(path, text.replace('DynamicUser=yes', '').replace('CapabilityBoundingSet=', ''));
  expect(analyze('security', '--offline=true', '--threshold=20', path).status).not.toBe(0);
});
