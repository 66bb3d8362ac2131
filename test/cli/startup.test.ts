import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { bareEnvironment } from '../support/bare-environment.ts';

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
/** Prints which modules were loaded. */
const hook = `
import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { console.error('loaded ' + url); return next(url, context); } });`;

test.each([
  ['--help'],
  ['dlq --help'],
  ['dlq list --help'],
  ['dlq drop --help'],
  ['replay --help'],
  ['redrive --help'],
  ['resync --help'],
  ['queues --help'],
  ['trace --help'],
  ['cost --help'],
  ['forward --help'],
  ['run --help'],
  ['complete -- dlq drop --'],
])('%s waits for no SDK, and for nothing that reads YAML', (line) => {
  const hooked = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, main, ...line.split(' ')];
  const { status, stdout, stderr } = spawnSync(process.execPath, hooked, { encoding: 'utf8', env: bareEnvironment() });
  const loaded = [...stderr.matchAll(/^loaded (.*)$/gm)].map(([, url = '']) => url);
  expect([status, stdout]).toEqual([0, expect.stringContaining('--')]);
  expect(loaded.some((url) => url.includes('/commander/'))).toBe(true);
  expect(loaded.filter((url) => /@aws-sdk|@smithy|\/yaml\/|client-node/.test(url))).toEqual([]);
});
