import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { longshore } from '../../support/longshore-command.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-run-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a process whose webhook cannot start ends, although it serves metrics by then', async () => {
  const kubeconfig = join(folder, 'kubeconfig');
  // Nothing answers there, and nothing is asked before the start.
  const cluster = { name: 'main', cluster: { server: 'https://127.0.0.1:1' } };
  const context = { name: 'main', context: { cluster: 'main', user: 'main' } };
  const users = [{ name: 'main', user: { token: 'token' } }];
  const config = { clusters: [cluster], contexts: [context], users, 'current-context': 'main' };
  await writeFile(kubeconfig, JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...config }));
  const none = join(folder, 'none');
  const files = ['--admission-certificate', none, '--admission-key', none];
  const given = ['--kubeconfig', kubeconfig, '--metrics', '127.0.0.1:0', '--admission', '127.0.0.1:0', ...files];
  const { code, err } = await longshore(['run', ...given]);
  expect([code, err]).toEqual([1, expect.stringContaining('the certificate of --admission cannot be read')]);
});
