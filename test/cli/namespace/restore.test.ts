import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { grantText } from '../../../cli/restore/grant.ts';
import { restoreIn } from '../../../cli/restore/restore.ts';
import { claimFor, linkFor } from '../../../cli/restore/restore-objects.ts';
import { FakeCluster, workIn } from './fake-cluster.ts';

const wish = {
  namespace: 'team-a',
  from: 'team-b',
  snapshot: 'nightly',
  toName: 'data',
  accessModes: ['ReadWriteOnce'],
};
const whole = { ...wish, size: '10Gi' };
const options = { from: 'team-b', toName: 'data', wait: false };

test('a link and a claim that nothing else can fill are created, and the grant for this snapshot alone is printed', async () => {
  const cluster = new FakeCluster();
  const { work, told } = workIn(cluster);
  expect(await restoreIn(work, whole, options)).toBe(0);
  expect(cluster.get(linkFor(whole))).toMatchObject({ spec: { source: { namespace: 'team-b', name: 'nightly' } } });
  expect(cluster.get(claimFor(whole))).toMatchObject({
    spec: {
      dataSourceRef: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshotLink', name: 'team-b.nightly' },
      selector: { matchLabels: { 'longshore.dev/volume': 'populated' } },
    },
  });
  expect(told.out[1]).toContain('a cluster administrator has to install that of the Gateway API first');
  expect(await restoreIn(work, wish, options)).toBe(0);
  expect(told.out[2]).toContain('is there already');
});

test('the printed command applies exactly the grant', () => {
  const text = grantText(wish, 'gateway.networking.k8s.io/v1');
  const command = text.slice(text.indexOf('kubectl')).replace('kubectl apply -f -', 'cat');
  const { stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
  expect(parse(stdout)).toEqual({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'ReferenceGrant',
    metadata: { namespace: 'team-b', name: 'team-a.nightly' },
    spec: {
      from: [{ group: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshotLink', namespace: 'team-a' }],
      to: [{ group: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'nightly' }],
    },
  });
});

test('in the own namespace no grant is needed, and none is named', async () => {
  const { work, told } = workIn(new FakeCluster());
  expect(linkFor({ ...whole, from: 'team-a' }).spec.source).toEqual({ name: 'nightly' });
  expect(await restoreIn(work, { ...whole, from: 'team-a' }, options)).toBe(0);
  expect(told.out).toHaveLength(1);
});

test('a claim or a link for something else is left as it is', async () => {
  const claim = claimFor({ ...whole, snapshot: 'weekly' });
  const { work } = workIn(new FakeCluster(claim));
  await expect(restoreIn(work, whole, options)).rejects.toThrow('is not for this snapshot');
  const link = { ...linkFor(whole), spec: { source: { namespace: 'team-c', name: 'nightly' } } };
  await expect(restoreIn(workIn(new FakeCluster(link)).work, whole, options)).rejects.toThrow('not for this snapshot');
});

test('a snapshot that cannot be read needs a size', async () => {
  await expect(restoreIn(workIn(new FakeCluster()).work, wish, options)).rejects.toThrow('Give the size with --size');
});
