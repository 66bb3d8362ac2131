import { expect, test } from '@jest/globals';
import { cancelObject, cancelOffer } from '../../../cli/cancel/cancel.ts';
import { requestFor } from '../../../cli/move/transfer-objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { claim as claimOf } from '../../../tools/local/transfer-objects.ts';
import { FakeCluster, workIn } from './fake-cluster.ts';

const request = requestFor({ namespace: 'team-a', from: 'team-b', claim: 'db', toName: 'db' });
const resource = resources.transferRequest;
const offered = { ...claimOf({ namespace: 'team-b', name: 'db' }, 'standard') };
const annotations = { transferRequest: 'team-a/db', keep: 'this' };

test('a request that waits is deleted, exactly as it was seen', async () => {
  const cluster = new FakeCluster(request);
  const { uid, resourceVersion } = cluster.get(request)?.metadata ?? {};
  const { work } = workIn(cluster);
  expect(await cancelObject(work, resource, 'team-b.db', { dryRun: true })).toBe(0);
  expect(cluster.get(request)).toBeDefined();
  expect(await cancelObject(work, resource, 'team-b.db', {})).toBe(0);
  expect(cluster.calls.at(-1)).toMatchObject({ method: 'DELETE', body: { preconditions: { uid, resourceVersion } } });
  expect(cluster.get(request)).toBeUndefined();
});

test.each([
  ['complete', { complete: true }],
  ['on its way', { volumeName: 'pv-1' }],
  ['on its way', { conditions: [{ type: 'Fenced', status: 'True' }] }],
])('it is too late for one that is %s (%j), and it stays', async (problem, status) => {
  const cluster = new FakeCluster({ ...request, status } as never);
  await expect(cancelObject(workIn(cluster).work, resource, 'team-b.db', {})).rejects.toThrow(problem);
  expect(cluster.get(request)).toBeDefined();
});

test('one that changes at this moment is left alone', async () => {
  const cluster = new FakeCluster(request);
  const { work } = workIn(cluster);
  const { getServed: get } = work.api;
  work.api.getServed = async (path: string) => {
    const found = await get.call(work.api, path);
    cluster.put({ ...request, metadata: { ...request.metadata, uid: 'uid-1' } });
    return found as never;
  };
  await expect(cancelObject(work, resource, 'team-b.db', {})).rejects.toThrow('nothing was done');
  expect(cluster.get(request)).toBeDefined();
});

test('an offer is taken back, and nothing else of the claim changes', async () => {
  const cluster = new FakeCluster({ ...offered, metadata: { ...offered.metadata, annotations } });
  const { work, told } = workIn(cluster, { namespace: 'team-b' });
  expect(await cancelOffer(work, 'db', {})).toBe(0);
  expect(cluster.get(offered)?.metadata.annotations).toEqual({ keep: 'this' });
  expect(told.out[0]).toContain('is not offered to team-a/db any more');
});

test('it is too late for a claim that is deleted: its owner is told how to have the volume', async () => {
  const metadata = { ...offered.metadata, annotations, deletionTimestamp: '2026-11-20T00:00:00Z' };
  const cluster = new FakeCluster({ ...offered, metadata });
  const { work } = workIn(cluster, { namespace: 'team-b' });
  await expect(cancelOffer(work, 'db', {})).rejects.toThrow('offer it to a claim of your own');
  expect(cluster.get(offered)?.metadata.annotations).toEqual(annotations);
});
