import { describe, expect, test } from '@jest/globals';
import { claim, patchOf } from './reviews.ts';

const snapshotGroup = 'snapshot.storage.k8s.io';
const snapshot = (namespace?: string, name = 'backup') => {
  return { apiGroup: snapshotGroup, kind: 'VolumeSnapshot', name, ...(namespace === undefined ? {} : { namespace }) };
};
const link = { apiGroup: snapshotGroup, kind: 'VolumeSnapshotLink', name: 'link' };
const ours = { apiGroup: 'longshore.dev', kind: 'VolumeSnapshotReference', name: 'prod.backup' };
const rewrite = { op: 'replace', path: '/spec/dataSourceRef', value: ours };
const selector = { matchLabels: { 'longshore.dev/volume': 'populated' } };
const guard = { op: 'add', path: '/spec/selector', value: selector };
const patch = (object: object, oldObject?: object) => patchOf('keep-references-to-snapshots', object, oldObject);
const owning = { manager: 'kubectl', fieldsV1: { 'f:spec': { 'f:dataSourceRef': { 'f:namespace': {} } } } };
const other = { manager: 'other', fieldsV1: { 'f:spec': { 'f:resources': {} } } };

describe('a claim that is created', () => {
  test('keeps its reference, and gets the selector', () => {
    expect(patch(claim({ dataSourceRef: snapshot('prod') }))).toEqual([rewrite, guard]);
  });

  test.each([link, ours, { ...link, namespace: '' }])('gets the selector alone: %j', (dataSourceRef) => {
    expect(patch(claim({ dataSourceRef, selector: {} }))).toEqual([guard]);
  });

  test('is owned by nobody where its reference has become another one, among the first ten', () => {
    const managedFields = [other, owning, { manager: 'empty' }, ...Array(7).fill(other), owning];
    expect(patch(claim({ dataSourceRef: snapshot('prod') }, {}, { managedFields }))).toEqual([
      rewrite,
      guard,
      { op: 'remove', path: '/metadata/managedFields/1/fieldsV1/f:spec/f:dataSourceRef' },
    ]);
    expect(patch(claim({ dataSourceRef: link }, {}, { managedFields }))).toEqual([guard]);
  });

  test('gets no selector if it has one, or names its volume', () => {
    const own = { matchLabels: { disk: 'fast' } };
    expect(patch(claim({ dataSourceRef: snapshot('prod'), selector: own }))).toEqual([rewrite]);
    expect(patch(claim({ dataSourceRef: snapshot('prod'), volumeName: 'volume' }))).toEqual([rewrite]);
    expect(patch(claim({ dataSourceRef: link, volumeName: 'volume' }))).toEqual([]);
  });

  test.each([
    undefined,
    snapshot(),
    snapshot(''),
    snapshot('Prod'),
    snapshot('prod.eu'),
    snapshot('prod\n'),
    snapshot('a'.repeat(64)),
    { ...snapshot('prod'), apiGroup: `${snapshotGroup}/v1` },
    { ...snapshot('prod'), apiGroup: null },
    { ...link, namespace: 'prod' },
    { ...ours, namespace: 'prod' },
    { kind: 'PersistentVolumeClaim', name: 'data', namespace: 'prod' },
  ])('stays as it is: %j', (dataSourceRef) => {
    expect(patch(claim({ dataSourceRef }))).toEqual([]);
  });

  test('with two sources stays as it is', () => {
    expect(patch(claim({ dataSource: snapshot(), dataSourceRef: snapshot('prod') }))).toEqual([]);
  });
});

describe('a claim that is written again', () => {
  test('gets the same reference and the same selector', () => {
    const stored = claim({ dataSource: ours, dataSourceRef: ours, selector });
    expect(patch(claim({ dataSource: ours, dataSourceRef: snapshot('prod') }), stored)).toEqual([rewrite, guard]);
    expect(patch(stored, stored)).toEqual([]);
  });

  test('from before the policy keeps its own', () => {
    const stored = claim({ dataSourceRef: snapshot('prod') });
    expect(patch(stored, stored)).toEqual([]);
    const linked = claim({ dataSourceRef: link });
    expect(patch(linked, linked)).toEqual([]);
    expect(patch(claim({ dataSourceRef: snapshot('prod') }), claim())).toEqual([]);
  });

  test('gets no selector if it was created with another one', () => {
    const own = { matchLabels: { disk: 'fast' } };
    expect(patch(claim({ dataSourceRef: link }), claim({ dataSourceRef: link, selector: own }))).toEqual([]);
  });
});
