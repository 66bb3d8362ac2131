import { describe, expect, test } from '@jest/globals';
import { sourceOf, workOf } from '../../../../lib/capabilities/data-sources/reference.ts';
import type { ClaimSpec } from '../../../../lib/kubernetes/objects.ts';
import { claim } from '../../../support/builders.ts';

const snapshots = 'snapshot.storage.k8s.io';
const of = (spec: Partial<ClaimSpec>, managedFields?: { fieldsV1?: Record<string, unknown> }[]) =>
  sourceOf(claim({ spec, metadata: managedFields ? { managedFields } : {} }));
const ref = (apiGroup: string, kind: string, name: string, namespace?: string) =>
  of({ dataSourceRef: { apiGroup, kind, name, ...(namespace ? { namespace } : {}) } });
const dump = { type: 'other', group: 'dumps.example.com', kind: 'Dump', name: 'a' } as const;

describe('where the data of a claim comes from:', () => {
  test.each([
    ['nowhere', of({}), undefined],
    ['a link', ref(snapshots, 'VolumeSnapshotLink', 'a'), { type: 'link', name: 'a' }],
    ['a snapshot', ref(snapshots, 'VolumeSnapshot', 'a'), { type: 'snapshot', name: 'a' }],
    ['a claim', of({ dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'a' } }), { type: 'claim', name: 'a' }],
    ['a claim, its group written out', ref('', 'PersistentVolumeClaim', 'a'), { type: 'claim', name: 'a' }],
    [
      'a claim, without a group',
      of({ dataSourceRef: { apiGroup: null, kind: 'PersistentVolumeClaim', name: 'a' } }),
      { type: 'claim', name: 'a' },
    ],
    [
      'the older field',
      of({ dataSource: { apiGroup: snapshots, kind: 'VolumeSnapshot', name: 'a' } }),
      { type: 'snapshot', name: 'a' },
    ],
    ['a transfer', ref('longshore.dev', 'Transfer', 'accepted'), { type: 'transfer', name: 'accepted' }],
    [
      'a reference that was kept',
      ref('longshore.dev', 'VolumeSnapshotReference', 'backup.a.b'),
      { type: 'reference', namespace: 'backup', name: 'a.b' },
    ],
    [
      'a reference that leads nowhere',
      ref('longshore.dev', 'VolumeSnapshotReference', 'a'),
      { type: 'reference', namespace: '', name: 'a' },
    ],
    ['anything else', ref('dumps.example.com', 'Dump', 'a'), dump],
    [
      'a kind of the same name in another group',
      ref('example.com', 'VolumeSnapshot', 'a'),
      { ...dump, group: 'example.com', kind: 'VolumeSnapshot' },
    ],
    [
      'another namespace',
      ref(snapshots, 'VolumeSnapshot', 'a', 'backup'),
      { type: 'foreign', namespace: 'backup', group: snapshots, kind: 'VolumeSnapshot', name: 'a' },
    ],
  ])('%s', (_, found, source) => {
    expect(found).toEqual(source);
  });
});

describe('a reference was dropped', () => {
  const written = (field: string) => ({ fieldsV1: { 'f:spec': { [field]: { 'f:name': {}, 'f:namespace': {} } } } });

  test.each([
    ['if a namespace was written and is not there', of({}, [{}, written('f:dataSourceRef')]), { type: 'dropped' }],
    [
      'if another source has taken its place',
      of({ dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'a' } }, [written('f:dataSourceRef')]),
      { type: 'dropped' },
    ],
    ['if it was written where only two kinds are taken', of({}, [written('f:dataSource')]), { type: 'dropped' }],
    [
      'not if its namespace is there, be it empty',
      of({ dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'a', namespace: '' } }, [written('f:dataSourceRef')]),
      { type: 'claim', name: 'a' },
    ],
    [
      'not if admission has made our own of it',
      of({ dataSourceRef: { apiGroup: 'longshore.dev', kind: 'VolumeSnapshotReference', name: 'prod.a' } }, [
        written('f:dataSourceRef'),
      ]),
      { type: 'reference', namespace: 'prod', name: 'a' },
    ],
    ['not if something else was written', of({}, [written('f:resources')]), undefined],
    [
      'not if no namespace was written',
      of({}, [{ fieldsV1: { 'f:spec': { 'f:dataSourceRef': { 'f:name': {} } } } }]),
      undefined,
    ],
    ['not if nothing of the spec was written', of({}, [{ fieldsV1: { 'f:status': {} } }, {}]), undefined],
  ])('%s', (_, found, source) => {
    expect(found).toEqual(source);
  });
});

describe('the work is', () => {
  const foreign = { type: 'foreign', namespace: 'backup', name: 'a' } as const;
  const dumpElsewhere = { ...foreign, group: 'dumps.example.com', kind: 'Dump' };

  test.each([
    [
      "a provisioner's for a snapshot",
      { type: 'snapshot', name: 'a' } as const,
      'provisioner',
      { type: 'snapshot', name: 'a' },
    ],
    ["a provisioner's for a clone", { type: 'claim', name: 'a' } as const, 'provisioner', { type: 'claim', name: 'a' }],
    [
      "a provisioner's for a snapshot elsewhere",
      { ...foreign, group: snapshots, kind: 'VolumeSnapshot' },
      'provisioner',
      { type: 'snapshot', name: 'a', namespace: 'backup' },
    ],
    [
      "a provisioner's for a clone from elsewhere",
      { ...foreign, group: '', kind: 'PersistentVolumeClaim' },
      'provisioner',
      { type: 'claim', name: 'a', namespace: 'backup' },
    ],
    ["a populator's for anything else", dump, 'populator', dump],
    ["a populator's for anything else elsewhere", dumpElsewhere, 'populator', dumpElsewhere],
  ])('%s', (_, found, by, source) => {
    expect(workOf(found)).toEqual({ by, source });
  });
});
