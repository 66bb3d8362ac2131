import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { compileCache } from '../../../tools/processes/compile-cache.ts';
import { bareEnvironment } from '../../support/bare-environment.ts';

const before = { ...process.env };
beforeEach(() => {
  process.env.AWS_PROFILE = 'of this user';
});
afterEach(() => {
  process.env = { ...before };
});

test('a process is told where programs are and what is compiled is kept, and what it is given, and nothing else', () => {
  process.env.NODE_COMPILE_CACHE = '/compiled';
  expect(compileCache()).toEqual({ NODE_COMPILE_CACHE: '/compiled' });
  const environment = bareEnvironment({ GIVEN: 'yes' });
  expect(environment).toEqual({ PATH: process.env.PATH, NODE_COMPILE_CACHE: '/compiled', GIVEN: 'yes' });
});

test.each([undefined, ''])('where nothing is kept (%j) it is told nothing of it', (folder) => {
  if (folder === undefined) delete process.env.NODE_COMPILE_CACHE;
  else process.env.NODE_COMPILE_CACHE = folder;
  expect([compileCache(), bareEnvironment()]).toEqual([{}, { PATH: process.env.PATH }]);
});

test('tests are told where: their processes find what was compiled', () => {
  const program = "console.log(require('node:module').getCompileCacheDir())";
  const env = bareEnvironment();
  const folder = execFileSync(process.execPath, ['-e', program], { env, encoding: 'utf8' }).trim();
  expect(folder).toContain(before.NODE_COMPILE_CACHE);
  expect(folder).not.toBe('undefined');
});
