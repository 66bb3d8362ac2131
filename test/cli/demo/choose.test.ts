import { expect, test } from '@jest/globals';
import {
  type CsiNode,
  chooseBucketClass,
  chooseNode,
  chooseSnapshotClass,
  chooseStorageClass,
  type Node,
  type SnapshotClass,
} from '../../../cli/demo/choose.ts';
import type { BucketClass } from '../../../lib/capabilities/buckets/objects.ts';
import type { StorageClass } from '../../../lib/kubernetes/objects.ts';

const driver = 'csi.example.com';
const marked = (name: string, annotation: string, more: object = {}) => ({
  name,
  annotations: { [annotation]: 'true' },
  ...more,
});

function storageClass(metadata: StorageClass['metadata'], more: Partial<StorageClass> = {}): StorageClass {
  const of = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', provisioner: driver } as const;
  return { ...of, reclaimPolicy: 'Delete', metadata, ...more };
}

const isDefault = 'storageclass.kubernetes.io/is-default-class';

test.each<[string, StorageClass[], string | undefined, object]>([
  ['none', [], undefined, { lacking: 'there is no default class: name one with --storage-class' }],
  [
    'no default',
    [storageClass({ name: 'slow' })],
    undefined,
    { lacking: 'there is no default class: name one with --storage-class (there is slow)' },
  ],
  [
    'the newest of several defaults, as the API server takes it',
    [
      storageClass(marked('old', isDefault, { creationTimestamp: '2025-01-01T00:00:00Z' })),
      storageClass(marked('new', isDefault, { creationTimestamp: '2026-01-01T00:00:00Z' })),
    ],
    undefined,
    { found: { metadata: { name: 'new' } } },
  ],
  [
    'the named one',
    [storageClass(marked('old', isDefault)), storageClass({ name: 'slow' })],
    'slow',
    { found: { metadata: { name: 'slow' } } },
  ],
  ['a name that is not there', [], 'slow', { lacking: 'there is no class slow: name one with --storage-class' }],
  [
    'one that creates nothing',
    [storageClass(marked('local', isDefault), { provisioner: 'kubernetes.io/no-provisioner' })],
    undefined,
    { lacking: expect.stringContaining('does not create volumes') },
  ],
  [
    'one whose volumes would stay',
    [storageClass(marked('safe', isDefault), { reclaimPolicy: 'Retain' })],
    undefined,
    { lacking: expect.stringContaining('reclaimPolicy Retain') },
  ],
])('of storage classes, %s', (_, classes, wanted, expected) => {
  expect(chooseStorageClass(classes, wanted)).toMatchObject(expected);
});

function snapshotClass(metadata: SnapshotClass['metadata'], more: Partial<SnapshotClass> = {}): SnapshotClass {
  const of = { apiVersion: 'snapshot.storage.k8s.io/v1', kind: 'VolumeSnapshotClass', driver };
  return { ...of, deletionPolicy: 'Delete', metadata, ...more };
}

test.each<[string, SnapshotClass[], string | undefined, object]>([
  ['none', [], undefined, { lacking: `driver ${driver} has no VolumeSnapshotClass with deletionPolicy Delete` }],
  ['the only one', [snapshotClass({ name: 'daily' })], undefined, { found: { metadata: { name: 'daily' } } }],
  [
    'not one of another driver',
    [snapshotClass({ name: 'daily' }, { driver: 'other.example.com' })],
    undefined,
    { lacking: expect.stringContaining('has no VolumeSnapshotClass') },
  ],
  [
    'not one whose snapshots would stay',
    [snapshotClass({ name: 'daily' }, { deletionPolicy: 'Retain' })],
    'daily',
    { lacking: 'daily keeps snapshots (Retain)' },
  ],
  [
    'the default one of several',
    [snapshotClass({ name: 'a' }), snapshotClass(marked('b', 'snapshot.storage.kubernetes.io/is-default-class'))],
    undefined,
    { found: { metadata: { name: 'b' } } },
  ],
  [
    'none of several without a default',
    [snapshotClass({ name: 'a' }), snapshotClass({ name: 'b' })],
    undefined,
    { lacking: 'name one with --snapshot-class: a, b' },
  ],
])('of snapshot classes, %s', (_, classes, wanted, expected) => {
  expect(chooseSnapshotClass(classes, driver, wanted)).toMatchObject(expected);
});

function bucketClass(name: string, more: Partial<BucketClass> = {}): BucketClass {
  const of = { apiVersion: 'cosi.io/v1alpha1', kind: 'BucketClass', provisioner: 's3.example.com' } as const;
  return { ...of, releasePolicy: 'Delete', metadata: { name }, ...more };
}

test.each<[string, Partial<BucketClass>, string]>([
  ['the bucket exists', { bucketIdentifier: 'payroll' }, 'is for an existing bucket'],
  ['the credentials exist', { secretRef: { namespace: 'a', name: 'b' } }, 'is for an existing bucket'],
  ['the bucket would stay', { releasePolicy: 'Retain' }, 'keeps buckets'],
  [
    'other namespaces are meant',
    { metadata: { name: 'objects', annotations: { 'longshore.dev/namespaces': 'payroll' } } },
    'is for other namespaces',
  ],
])('a bucket class is neither taken nor accepted where %s', (_, fields, why) => {
  const classes = [bucketClass('objects', fields)];
  expect(chooseBucketClass(classes)).toEqual({ lacking: expect.stringContaining('no BucketClass') });
  expect(chooseBucketClass(classes, 'objects')).toEqual({ lacking: expect.stringContaining(`objects ${why}`) });
});

test('of several bucket classes one has to be named', () => {
  const classes = [bucketClass('a'), bucketClass('b'), bucketClass('kept', { releasePolicy: 'Retain' })];
  expect(chooseBucketClass(classes)).toEqual({ lacking: 'name one with --bucket-class: a, b' });
  expect(chooseBucketClass(classes, 'b')).toMatchObject({ found: { metadata: { name: 'b' } } });
  expect(chooseBucketClass(classes, 'c')).toEqual({ lacking: 'there is no BucketClass c' });
});

test('a node is ready, takes pods, and has the driver where any node has it', () => {
  const node = (name: string, status = 'True', unschedulable = false) =>
    ({ metadata: { name }, spec: { unschedulable }, status: { conditions: [{ type: 'Ready', status }] } }) as Node;
  const csiNode = (name: string, ...names: string[]) =>
    ({ metadata: { name }, spec: { drivers: names.map((each) => ({ name: each })) } }) as CsiNode;
  const nodes = [node('down', 'False'), node('drained', 'True', true), node('one'), node('two')];
  expect(chooseNode(nodes, [], driver)).toBe('one');
  expect(chooseNode(nodes, [csiNode('one'), csiNode('two', driver)], driver)).toBe('two');
  expect(chooseNode(nodes, [csiNode('down', driver)], driver)).toBeUndefined();
  expect(chooseNode([], [], driver)).toBeUndefined();
});
