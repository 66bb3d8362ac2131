import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  collectionPath,
  displayName,
  isLegalName,
  nameOf,
  objectPath,
  resourceOfKind,
  resources,
} from '../../../lib/kubernetes/resources.ts';

test('the core group has a path of its own', () => {
  expect(objectPath(nameOf(resources.claim, 'prod', 'data'))).toBe(
    '/api/v1/namespaces/prod/persistentvolumeclaims/data',
  );
  expect(objectPath(nameOf(resources.volume, undefined, 'volume-1'))).toBe('/api/v1/persistentvolumes/volume-1');
});

test('other groups are named in the path', () => {
  const path = '/apis/transfer.storage.k8s.io/v1alpha1/namespaces/stage/storagetransferrequests/move';
  expect(objectPath(nameOf(resources.transferRequest, 'stage', 'move'))).toBe(path);
});

test('all namespaces together are one collection', () => {
  expect(collectionPath(resources.pod)).toBe('/api/v1/pods');
  expect(collectionPath(resources.pod, 'prod')).toBe('/api/v1/namespaces/prod/pods');
});

test('no name leads out of its place in the path', () => {
  const path = (namespace: string, name: string) => () => objectPath({ resource: resources.pod, namespace, name });
  for (const illegal of ['..', '.', 'a/b', '../c', 'A', '', 'a b', '-a', 'a-.b', 'a.-b', 'a\n', 'a'.repeat(254)]) {
    expect(path('prod', illegal)).toThrow('is not a valid object name');
    expect(path(illegal, 'data')).toThrow('is not a valid namespace name');
  }
  expect(path('prod', 'a.b-c')()).toBe('/api/v1/namespaces/prod/pods/a.b-c');
});

test('what has no namespace never gets one', () => {
  expect(nameOf(resources.volume, 'prod', 'volume-1')).toEqual({ resource: resources.volume, name: 'volume-1' });
});

test('a kind is found by its version and its name', () => {
  for (const resource of Object.values(resources))
    expect(resourceOfKind(resource.apiVersion, resource.kind)).toBe(resource);
  expect(resourceOfKind('v2', 'Pod')).toBeUndefined();
});

test('people read a name with its namespace', () => {
  expect([displayName({ namespace: 'prod', name: 'data' }), displayName({ name: 'volume-1' })]).toEqual([
    'prod/data',
    'volume-1',
  ]);
});

test('a legal name is what the API server takes for one: labels of DNS with dots between them', () => {
  const legal = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
  const nearly = fc.string({
    unit: fc.constantFrom('a', 'z', '0', '9', '-', '.', 'A', '/', '\n', 'é', '`', '{', ':'),
    maxLength: 8,
  });
  const long = fc.nat(300).map((length) => 'a'.repeat(length));
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: nearly }, long), (name) => {
      expect(isLegalName(name)).toBe(legal.test(name));
    }),
    { numRuns: 5_000 },
  );
});
