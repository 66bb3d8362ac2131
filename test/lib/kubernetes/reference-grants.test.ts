import { describe, expect, test } from '@jest/globals';
import type { ReferenceGrant } from '../../../lib/kubernetes/objects.ts';
import { isGranted, type Reference, readGrants } from '../../../lib/kubernetes/reference-grants.ts';
import { grant } from '../../support/builders.ts';
import { clusterOf } from '../capabilities/cluster-of.ts';

const from = { group: 'transfer.storage.k8s.io', kind: 'StorageTransferRequest', namespace: 'stage' };
const to = { group: '', kind: 'PersistentVolumeClaim', name: 'data' };
const reference: Reference = { from, to };
const nameless = { group: '', kind: 'PersistentVolumeClaim' };

describe('a reference is granted', () => {
  test.each<[string, ReferenceGrant[]]>([
    ['by a grant that names both sides', [grant()]],
    ['by a grant to all objects of the kind', [grant({ spec: { to: [nameless] } })]],
    ['by a grant whose name is empty, which is none', [grant({ spec: { to: [{ ...nameless, name: '' }] } })]],
    ['by one line of several', [grant({ spec: { from: [{ ...from, namespace: 'test' }, from] } })]],
    ['by one of several', [grant({ spec: { to: [] } }), grant()]],
  ])('%s', (_, grants) => {
    expect(isGranted(grants, reference)).toBe(true);
  });
});

describe('a reference is not granted', () => {
  test.each<[string, ReferenceGrant[]]>([
    ['by nothing', []],
    ['by a grant that is being deleted', [grant({ metadata: { deletionTimestamp: '2026-03-01T12:00:00Z' } })]],
    ['from another group', [grant({ spec: { from: [{ ...from, group: '' }] } })]],
    ['from another kind', [grant({ spec: { from: [{ ...from, kind: 'PersistentVolumeClaim' }] } })]],
    ['from another namespace', [grant({ spec: { from: [{ ...from, namespace: 'prod' }] } })]],
    ['to another group', [grant({ spec: { to: [{ ...to, group: 'v1' }] } })]],
    ['to another kind', [grant({ spec: { to: [{ ...to, kind: 'PersistentVolume' }] } })]],
    ['to another name', [grant({ spec: { to: [{ ...to, name: 'dat' }] } })]],
    ['by a grant without from', [{ ...grant(), spec: { to: [to] } }]],
    ['by a grant without to', [{ ...grant(), spec: { from: [from] } }]],
    ['by two that have one side each', [grant({ spec: { from: [] } }), grant({ spec: { to: [] } })]],
  ])('%s', (_, grants) => {
    expect(isGranted(grants, reference)).toBe(false);
  });
});

test('only the grants of the referred namespace are read', async () => {
  const cluster = clusterOf(grant(), grant({ metadata: { namespace: 'test' } }));
  expect(await readGrants(cluster, 'prod')).toEqual([grant()]);
  expect(cluster.asked).toEqual(['ReferenceGrant in prod']);
});
