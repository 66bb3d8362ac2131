import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inCluster } from '../../../cli/kubeconfig/in-cluster.ts';
import { tokenFrom } from '../../../cli/kubeconfig/token-file.ts';
import { Machine, Time } from '../../support/simulated-time.ts';

const environment = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-pod-'));
  await writeFile(join(folder, 'ca.crt'), 'PEM');
});
afterAll(() => rm(folder, { recursive: true }));

test('a Pod has the address, the authority and the token of its cluster', async () => {
  await writeFile(join(folder, 'token'), 'first\n');
  const context = inCluster(environment, folder);
  const access = await context?.access();
  expect({ ...access, token: await access?.token?.() }).toEqual({
    server: 'https://10.0.0.1:443',
    certificateAuthority: 'PEM',
    token: 'first',
  });
  expect(inCluster({ ...environment, KUBERNETES_SERVICE_HOST: 'fd00::1' }, folder)?.server).toBe(
    'https://[fd00::1]:443',
  );
});

test('elsewhere there is none', () => {
  expect(inCluster({}, folder)).toBeUndefined();
  expect(inCluster(environment, join(folder, 'nowhere'))).toBeUndefined();
});

test('a token is read again each minute, and a file that cannot be used is named', async () => {
  const time = new Time();
  const { clock } = new Machine(time, { wallOffsetMs: 0, upMs: 5 });
  const path = join(folder, 'token');
  await writeFile(path, 'first');
  const token = tokenFrom(path, clock);
  expect(await token()).toBe('first');
  await writeFile(path, 'second');
  time.nowMs = 59_999;
  expect(await token()).toBe('first');
  time.nowMs = 60_000;
  expect(await token()).toBe('second');
  await writeFile(path, ' \n');
  time.nowMs = 120_000;
  await expect(token()).rejects.toThrow(`the token file ${path} is empty`);
  await rm(path);
  await expect(token()).rejects.toThrow(/token file .*token cannot be read: .*ENOENT/);
});
