import { expect, test } from '@jest/globals';
import type { ClusterObject, OwnerReference } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { nameOf, resources } from '../../lib/kubernetes/resources.ts';
import { FakeCluster } from './fake-cluster.ts';
import { FakeGarbageCollector } from './fake-garbage-collector.ts';

const gone: OwnerReference = { ...kindOf(resources.bucketContent), name: 'content', uid: 'gone' };

function kindOf({ apiVersion, kind }: Resource) {
  return { apiVersion, kind };
}

function make(cluster: FakeCluster, resource: Resource, name: string, metadata: object = {}): Promise<ClusterObject> {
  const place = resource.namespaced ? { namespace: 'shop' } : {};
  const body = { ...kindOf(resource), metadata: { ...place, name, ...metadata } };
  return cluster.create(nameOf(resource, 'shop', name), body);
}

type Metadata = (present: OwnerReference) => object;

/** What becomes of an object, where the content that `present` names exists. */
async function collected(resource: Resource, metadata: Metadata) {
  const cluster = new FakeCluster(() => new Date(0));
  cluster.namespaces.add('shop');
  const owner = await make(cluster, resources.bucketContent, 'content');
  const present = { ...gone, uid: owner.metadata.uid ?? '' };
  await make(cluster, resource, 'owned', metadata(present));
  const collector = new FakeGarbageCollector(cluster);
  const found = collector.sync();
  return { found, left: cluster.read(nameOf(resource, 'shop', 'owned')), again: collector.sync() };
}

test('what has owners none of which is left is deleted', async () => {
  const owned = await collected(resources.secret, () => ({ ownerReferences: [gone] }));
  expect(owned).toEqual({ found: true, left: undefined, again: false });
});

test('what has a finalizer only begins to go, once', async () => {
  const metadata = { ownerReferences: [gone], finalizers: ['a.example/hold'] };
  const { left, again } = await collected(resources.secret, () => metadata);
  expect(left?.metadata.deletionTimestamp).toBeDefined();
  expect(again).toBe(false);
});

test.each<[string, Resource, Metadata]>([
  ['has no owner', resources.secret, () => ({})],
  ['has one owner left', resources.secret, (present) => ({ ownerReferences: [gone, present] })],
  ['has an owner of an unknown kind', resources.secret, () => ({ ownerReferences: [{ ...gone, kind: 'Unknown' }] })],
  [
    'names an owner in a namespace that it is not in itself',
    resources.bucketClass,
    () => ({ ownerReferences: [{ ...kindOf(resources.bucket), name: 'data', uid: 'gone' }] }),
  ],
])('what %s stays', async (_, resource, metadata) => {
  expect(await collected(resource, metadata)).toMatchObject({ found: false, left: { metadata: { name: 'owned' } } });
});
