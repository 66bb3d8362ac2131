import { expect, test } from '@jest/globals';
import { selectionOf } from '../../../lib/capabilities/all-capabilities.ts';
import { ownerOf } from '../../../lib/forwarder/owner-namespace.ts';
import { select } from '../../../lib/json/selection.ts';
import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';

const named = (fields: object): ClusterObject => ({
  apiVersion: 'v1',
  kind: 'Any',
  metadata: { name: 'any' },
  ...fields,
});

test.each([
  [
    'an object of a namespace',
    { metadata: { name: 'any', namespace: 'team-a' }, spec: { claimRef: { namespace: 'b' } } },
  ],
  ['a volume', { spec: { claimRef: { namespace: 'team-a', name: 'data' } } }],
  ['a content of a Bucket', { spec: { bucketRef: { namespace: 'team-a', name: 'photos' } } }],
  ['a content of a snapshot', { spec: { volumeSnapshotRef: { namespace: 'team-a', name: 'daily' } } }],
])('%s is told on behalf of its namespace', (_, fields) => {
  expect(ownerOf(named(fields))).toBe('team-a');
});

test.each([{}, { spec: null }, { spec: {} }, { spec: { claimRef: null } }, { spec: { claimRef: { namespace: 7 } } }])(
  'with %j it is told on behalf of nobody',
  (fields) => expect(ownerOf(named(fields))).toBeUndefined(),
);

test.each([
  [resources.volume, 'claimRef'],
  [resources.bucketContent, 'bucketRef'],
] as const)('what the forwarder reads of %j is enough to know', (resource, field) => {
  const object = named({ spec: { [field]: { namespace: 'team-a', name: 'any' } } });
  expect(ownerOf(select(object, selectionOf(resource)) as ClusterObject)).toBe('team-a');
});
