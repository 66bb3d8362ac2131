import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Clusters, UnknownCluster } from '../../../lib/kubernetes/clusters.ts';
import { kubeconfigOf } from '../../../tools/control-plane/kubeconfig.ts';

let folder = '';
let path = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-clusters-'));
  path = join(folder, 'kubeconfig');
});
afterAll(() => rm(folder, { recursive: true }));

const write = () =>
  writeFile(path, kubeconfigOf({ server: 'https://127.0.0.1:1', certificateAuthority: '', token: 'secret' }));
const clusters = () => new Clusters([{ name: 'main', access: { type: 'kubeconfig', from: `file:${path}` } }]);

test('a cluster is connected once and then kept', async () => {
  await write();
  const known = clusters();
  const [first, second] = await Promise.all([known.get('main'), known.get('main')]);
  expect(second).toBe(first);
  expect(first.cluster.name).toBe('main');
});

test('forgotten credentials are read anew', async () => {
  await write();
  const known = clusters();
  const first = await known.get('main');
  known.forget('main');
  expect(await known.get('main')).not.toBe(first);
});

test('a failure to connect is not kept', async () => {
  await rm(path, { force: true });
  const known = clusters();
  await expect(known.get('main')).rejects.toThrow('ENOENT');
  await write();
  expect((await known.get('main')).cluster.name).toBe('main');
});

test('an unknown cluster is named, and those that are known', async () => {
  await expect(clusters().get('other')).rejects.toThrow(UnknownCluster);
  await expect(clusters().get('other')).rejects.toThrow(
    'cluster "other" is not configured: LONGSHORE_CLUSTERS has "main"',
  );
});

test('a connection whose client certificate ends is replaced then', async () => {
  let connects = 0;
  const access = async () => {
    connects += 1;
    // The first one has ended already.
    return { server: 'https://127.0.0.1:1', validUntil: new Date(connects === 1 ? 0 : Date.now() + 60_000) };
  };
  const known = new Clusters([{ name: 'main', access }]);
  const first = await known.get('main');
  const second = await known.get('main');
  expect(second).not.toBe(first);
  expect(await known.get('main')).toBe(second);
});
