import { beforeEach, expect, test } from '@jest/globals';
import { nameOf, resources } from '../../lib/kubernetes/resources.ts';
import { FakeCluster } from './fake-cluster.ts';
import { FakeNamespaceController } from './fake-namespace-controller.ts';

const namespaceName = nameOf(resources.namespace, undefined, 'shop');
const secretName = nameOf(resources.secret, 'shop', 'keys');
const secret = (finalizers: string[] = []) => ({
  apiVersion: 'v1',
  kind: 'Secret' as const,
  metadata: { name: 'keys', namespace: 'shop', finalizers },
});

let cluster: FakeCluster;
let controller: FakeNamespaceController;
beforeEach(() => {
  cluster = new FakeCluster(() => new Date('2026-03-01T12:00:00Z'));
  controller = new FakeNamespaceController(cluster);
  cluster.namespaces.add('shop');
});

test('a namespace that is deleted takes what is in it along, and another one has its name later', async () => {
  await cluster.create(secretName, secret());
  const before = cluster.read(namespaceName)?.metadata.uid;
  cluster.namespaces.terminate('shop');
  await expect(cluster.create(nameOf(resources.secret, 'shop', 'more'), secret())).rejects.toThrow('being terminated');
  controller.sync();
  expect(cluster.read(secretName)).toBeUndefined();
  expect(cluster.read(namespaceName)).toBeUndefined();
  await expect(cluster.create(secretName, secret())).rejects.toThrow('not found');
  cluster.namespaces.add('shop');
  expect(cluster.read(namespaceName)?.metadata.uid).not.toBe(before);
});

test('what is held by a finalizer holds its namespace', async () => {
  await cluster.create(secretName, secret(['example.com/hold']));
  cluster.namespaces.terminate('shop');
  controller.sync();
  expect(cluster.read(secretName)?.metadata.deletionTimestamp).toBeDefined();
  expect(cluster.read(namespaceName)).toBeDefined();
  cluster.update(secretName, { metadata: { finalizers: [] } });
  controller.sync();
  expect(cluster.read(namespaceName)).toBeUndefined();
});
