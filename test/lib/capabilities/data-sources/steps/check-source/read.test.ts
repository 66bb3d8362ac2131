import { describe, expect, test } from '@jest/globals';
import { read } from '../../../../../../lib/capabilities/data-sources/steps/check-source/read.ts';
import type { ClusterObject } from '../../../../../../lib/kubernetes/objects.ts';
import { configMap } from '../../../../../support/builders.ts';
import { clusterOf } from '../../../cluster-of.ts';
import * as stage from './stages.ts';

const { annotations, content, grant, handedOver, populator, snapshot, sourceClaim, sourceVolume } = stage;
const { sources, volume, withoutDriver } = stage;
const key = { namespace: 'prod', name: 'data' };

const claims = '/api/v1/namespaces/prod/persistentvolumeclaims';
const settings = '/api/v1/namespaces/longshore-system/configmaps/longshore';
const own = `/api/v1/persistentvolumes/pvc-${stage.uid}`;
const snapshots = (namespace: string) => `/apis/snapshot.storage.k8s.io/v1/namespaces/${namespace}/volumesnapshots`;
const contents = '/apis/snapshot.storage.k8s.io/v1/volumesnapshotcontents';
const populators = 'VolumePopulator in undefined';

async function askedOf(...objects: ClusterObject[]): Promise<string[]> {
  const cluster = clusterOf(...objects);
  await read(cluster, key);
  expect([...new Set(cluster.asked)]).toEqual(cluster.asked);
  expect(cluster.asked[0]).toBe(`${claims}/data`);
  return cluster.asked.slice(1);
}

describe('of a claim that is not to be told of, nothing else is read:', () => {
  test.each<[string, ClusterObject[]]>([
    ['one that is gone', []],
    ['one that goes', [stage.claim(sources.snapshot, 'Bound', { deletionTimestamp: stage.late }), volume()]],
    ['one without a source', [stage.claim({}, 'Bound'), volume()]],
    ['one that Longshore populates', [stage.claim(sources.link, 'Bound'), volume()]],
  ])('%s', async (_, objects) => {
    expect(await askedOf(...objects)).toEqual([]);
  });

  test('and only the switch when it is off', async () => {
    const off = configMap({ 'data-populated': 'off' });
    expect(await askedOf(off, stage.claim(sources.snapshot, 'Bound'), volume())).toEqual([settings]);
  });
});

describe('of a claim without a volume', () => {
  test.each<[string, ClusterObject[], string[]]>([
    [
      'the snapshot is read',
      [stage.claim(sources.snapshot, 'Pending'), snapshot(), content()],
      [`${snapshots('prod')}/monday`],
    ],
    ['the claim to be cloned is read', [stage.claim(sources.claim, 'Pending'), sourceClaim()], [`${claims}/old`]],
    ['those who populate are read', [stage.claim(sources.other, 'Pending'), populator()], [populators]],
    ['those who populate from elsewhere are read', [stage.claim(sources.foreignDump, 'Pending')], [populators]],
    ['nothing is read in another namespace', [stage.claim(sources.foreign, 'Pending'), grant('', '')], []],
    ['nothing is read for a transfer', [stage.claim(sources.transfer, 'Pending')], []],
    ['nothing is read of a reference that was dropped', [stage.claim({}, 'Pending', stage.droppedFields)], []],
    ['nothing is read when it has lost it', [stage.claim(sources.snapshot, 'Lost'), volume(), snapshot()], []],
    ['a name that cannot be one is not looked for', [stage.claim(named('../secrets'), 'Pending')], []],
  ])('%s', async (_, objects, paths) => {
    expect(await askedOf(...objects)).toEqual([settings, ...paths]);
  });
});

describe('of a claim with a volume', () => {
  const restored = stage.claim(sources.snapshot, 'Bound');
  const other = stage.claim(sources.other, 'Bound');
  const nfs = withoutDriver(volume({ annotations: annotations.madeBy('nfs.example.com') }));
  const given = volume({ annotations: {} });
  const seen = [own, `${snapshots('prod')}/monday`];

  test.each<[string, ClusterObject[], string[]]>([
    ['snapshot and content are read', [restored, volume(), snapshot(), content()], [...seen, `${contents}/content-1`]],
    ['no content is read without a snapshot', [restored, volume()], seen],
    ['no content is read that has no name', [restored, volume(), snapshot({}, {})], seen],
    [
      'the cloned claim and its volume are read',
      [stage.claim(sources.claim, 'Bound'), volume(), sourceClaim(), sourceVolume()],
      [own, `${claims}/old`, '/api/v1/persistentvolumes/volume-old'],
    ],
    ['no source is read where the volume is of no driver', [restored, nfs, snapshot()], [own]],
    ['no source is read where the volume was not made for it', [restored, given, snapshot()], [own]],
    ['no source is read where the volume is gone', [restored, snapshot()], [own]],
    ['nobody is looked for who may have populated what was made for it', [other, volume(), populator()], [own]],
    ['those who populate are read where it was handed over', [other, given, populator()], [own, populators]],
    ['nothing but the volume is read after a transfer', [stage.claim(sources.transfer, 'Bound'), given], [own]],
    ['not even that of a reference that was dropped', [stage.claim({}, 'Bound', stage.droppedFields), volume()], []],
  ])('%s', async (_, objects, paths) => {
    expect(await askedOf(...objects)).toEqual([settings, ...paths]);
  });
});

describe('in another namespace', () => {
  const bound = [stage.claim(sources.foreign, 'Bound'), volume(), stage.namespace()];
  const elsewhere = [snapshot({ namespace: 'backup' }), content()];
  const grants = ['ReferenceGrant in backup', '/api/v1/namespaces/prod'];
  const group = 'snapshot.storage.k8s.io';

  test.each<[string, ClusterObject[]]>([
    ['without a grant', []],
    ['with a grant for something else', [grant('', 'PersistentVolumeClaim')]],
    [
      'with a grant for an earlier namespace of that name',
      [grant(group, 'VolumeSnapshot', { creationTimestamp: '2026-03-01T09:00:00Z' })],
    ],
    ['with a grant to others', [{ ...grant(group, 'VolumeSnapshot'), metadata: { namespace: 'prod', name: 'grant' } }]],
  ])('nothing is read %s', async (_, granted) => {
    expect(await askedOf(...bound, ...elsewhere, ...granted)).toEqual([settings, own, ...grants]);
    const world = await read(clusterOf(...bound, ...elsewhere, ...granted), key);
    expect([world.snapshot, world.content]).toEqual([undefined, undefined]);
  });

  test('the snapshot is read that a grant allows to refer to', async () => {
    const paths = [settings, own, ...grants, `${snapshots('backup')}/monday`, `${contents}/content-1`];
    expect(await askedOf(...bound, ...elsewhere, grant(group, 'VolumeSnapshot'))).toEqual(paths);
  });

  test('the snapshot is read that a grant allows which was confirmed for this namespace', async () => {
    const confirmed = { creationTimestamp: stage.early, annotations: { 'longshore.dev/namespace-uids': 'uid-prod' } };
    const objects = [stage.claim(sources.foreign, 'Bound'), volume(), stage.namespace(stage.asked), ...elsewhere];
    expect((await read(clusterOf(...objects, grant(group, 'VolumeSnapshot', confirmed)), key)).snapshot).toBeDefined();
    expect((await read(clusterOf(...objects, grant(group, 'VolumeSnapshot')), key)).snapshot).toBeUndefined();
  });

  test('the claim is read that a grant allows to refer to', async () => {
    const asked = await askedOf(
      stage.claim(sources.foreignClaim, 'Bound'),
      volume(),
      stage.namespace(),
      grant('', 'PersistentVolumeClaim'),
    );
    expect(asked.at(-1)).toBe('/api/v1/namespaces/backup/persistentvolumeclaims/old');
  });

  test('no grant is asked for of a namespace that is the own one, or cannot be one', async () => {
    const inNamespace = (namespace: string) => ({ dataSourceRef: { ...sources.foreign.dataSourceRef, namespace } });
    expect(await askedOf(stage.claim(inNamespace('prod'), 'Bound'), volume())).toEqual([
      settings,
      own,
      `${snapshots('prod')}/monday`,
    ]);
    expect(await askedOf(stage.claim(inNamespace('..'), 'Bound'), volume())).toEqual([settings, own]);
  });

  test('nothing is read where those who populate leave a note, but who they are', async () => {
    const claim = stage.claim(sources.foreignDump, 'Bound', {});
    const moved = volume({ ...handedOver, name: `pvc-${stage.uid}`, annotations: {} });
    expect(await askedOf(claim, moved)).toEqual([settings, own, populators]);
  });
});

function named(name: string) {
  return { dataSourceRef: { ...sources.snapshot.dataSourceRef, name } };
}
