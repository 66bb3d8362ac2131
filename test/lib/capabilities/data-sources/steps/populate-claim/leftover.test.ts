import { describe, expect, test } from '@jest/globals';
import { decide, decideFailed } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import { populateClaim } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/step.ts';
import type { ClusterObject, Volume } from '../../../../../../lib/kubernetes/objects.ts';
import { linkedClaim } from '../../../../../support/builders-of-snapshots.ts';
import { clusterOf } from '../../../cluster-of.ts';
import * as stage from '../../populate-stages.ts';
import { settle, summaryOf, testTable } from '../../populate-table.ts';

const { contentCopy, copyName, held, now, prime, primeBound, snapshotCopy, stray } = stage;
const key = { namespace: 'longshore-system', name: copyName };
const read = (...objects: ClusterObject[]) => populateClaim.read(clusterOf(...objects), key, now);
const writesOf = async (...objects: ClusterObject[]) => {
  const { writes, decision } = settle(await read(...objects));
  return [...writes, summaryOf(decision)];
};
const earlier = { ...stage.toPrime, uid: 'uid-of-an-earlier-prime' };
const late = (spec: object = {}) => stage.volume({ claimRef: earlier, ...spec }, { name: 'pvc-late' }, 'Released');
const taken = 'longshore.dev/taken-in-error';
const strayLate = (spec: object = {}, marks = {}) => ({
  ...stray({ claimRef: earlier, ...spec }, marks),
  status: { phase: 'Released' as const },
});
const kept = strayLate({ persistentVolumeReclaimPolicy: 'Retain' }, { [taken]: 'populate-uid-claim/Delete' });
const nobody = '00000000-0000-0000-0000-000000000000';
const reserved = {
  ...late({ claimRef: { ...earlier, uid: undefined }, persistentVolumeReclaimPolicy: 'Retain' }),
  status: { phase: 'Available' as const },
};
const copies = [contentCopy(), snapshotCopy(), prime()];
const all = ['delete prime', 'patch prime', 'delete snapshotCopy', 'delete contentCopy', 'done Cleared'];

describe('copies whose claim is gone', () => {
  test.each<[string, ClusterObject[], string[]]>([
    ['go, from the prime claim to the content', copies, all],
    ['go with the volume', [contentCopy(), snapshotCopy(), primeBound(), stage.volume()], all],
    [
      'go with the volume that a class would retain',
      [contentCopy(), snapshotCopy(), primeBound(), stage.volume({ persistentVolumeReclaimPolicy: 'Retain' })],
      all.toSpliced(1, 0, 'patch volume'),
    ],
    [
      'go without the volume that lay about',
      [contentCopy(), snapshotCopy(), primeBound(), stray()],
      ['patch volume', ...all],
    ],
    ['go also if the claim was made anew', [...copies, linkedClaim({ metadata: { uid: 'uid-anew' } })], all],
    ['go if only one is left', [contentCopy()], ['delete contentCopy', 'done Cleared']],
    ['go if only the snapshot is left', [snapshotCopy()], ['delete snapshotCopy', 'done Cleared']],
    ['are gone', [], ['done Cleared']],
    [
      'go with what was made too late',
      [...copies, late({ persistentVolumeReclaimPolicy: 'Retain' })],
      ['patch late', ...all],
    ],
  ])('%s', async (_, objects, expected) => {
    expect(await writesOf(...objects)).toEqual(expected);
  });

  test('are left to their claim while that is there, which may be at work with them', async () => {
    for (const claim of [held(), linkedClaim(), held({ metadata: stage.deleting })]) {
      expect(await writesOf(...copies, claim)).toEqual(['done ClaimThere']);
      expect(await writesOf(contentCopy(), claim)).toEqual(['done ClaimThere']);
      expect(await writesOf(...copies, claim, late({ persistentVolumeReclaimPolicy: 'Retain' }))).toEqual([
        'patch late',
        'done ClaimThere',
      ]);
    }
  });
});

describe('a volume that came too late', () => {
  const world = (volume: ReturnType<typeof late>) => ({ isLeftover: true as const, late: volume, readAt: now });
  testTable([
    {
      situation: 'is let go, as nobody has ever used it',
      world: world(late({ persistentVolumeReclaimPolicy: 'Retain' })),
      write: 'patch late',
      exactly: { spec: { persistentVolumeReclaimPolicy: 'Delete' } },
      event: 'Normal NotNeeded',
      next: 'done Cleared',
    },
    { situation: 'goes by itself, if that is its policy', world: world(late()), answer: 'done Cleared' },
    {
      situation: 'and is kept for whichever prime claim comes next is given to none, so that it is deleted',
      world: world(reserved as unknown as Volume),
      write: 'patch late',
      exactly: { spec: { persistentVolumeReclaimPolicy: 'Delete', claimRef: { uid: nobody, resourceVersion: null } } },
      next: 'done Cleared',
    },
    {
      situation:
        'and lay about before is made free again, and stays retained, as what is Released may be deleted still',
      world: world(kept),
      write: 'patch late',
      exactly: {
        metadata: { annotations: { 'pv.kubernetes.io/bound-by-controller': null } },
        spec: { claimRef: null },
      },
      next: 'done Cleared',
    },
    {
      situation: 'and is not counted as Released any more gets the policy back that it had',
      world: world({
        ...kept,
        spec: { ...kept.spec, claimRef: undefined },
        status: { phase: 'Available' },
      } as unknown as Volume),
      write: 'patch late',
      exactly: { metadata: { annotations: { [taken]: null } }, spec: { persistentVolumeReclaimPolicy: 'Delete' } },
      next: 'done Cleared',
    },
    {
      situation: 'and is free again is waited for while it is counted as Released',
      world: world({ ...kept, spec: { ...kept.spec, claimRef: undefined } } as unknown as Volume),
      answer: 'done Cleared',
    },
    {
      situation: 'and was retained before stays so',
      world: world(strayLate({ persistentVolumeReclaimPolicy: 'Retain' })),
      write: 'patch late',
      body: { spec: { claimRef: null } },
      next: 'done Cleared',
    },
  ]);

  test.each<[string, ClusterObject]>([
    ['that is bound', { ...late(), status: { phase: 'Bound' } } as ClusterObject],
    [
      'that failed',
      { ...late({ persistentVolumeReclaimPolicy: 'Retain' }), status: { phase: 'Failed' } } as ClusterObject,
    ],
    [
      'of another claim',
      late({ claimRef: { ...earlier, name: 'populate-uid-of-another' }, persistentVolumeReclaimPolicy: 'Retain' }),
    ],
    [
      'of a claim elsewhere',
      late({ claimRef: { ...earlier, namespace: 'test' }, persistentVolumeReclaimPolicy: 'Retain' }),
    ],
  ])('is not one %s', async (_, volume) => {
    expect(await writesOf(volume)).toEqual(['done Cleared']);
  });

  test('is looked for also when another one is on its way out', async () => {
    const going = late();
    const other = {
      ...late({ persistentVolumeReclaimPolicy: 'Retain' }),
      metadata: { ...late().metadata, name: 'pvc-2' },
    };
    expect(await writesOf(going, other)).toEqual(['patch late', 'done Cleared']);
  });
});

test('one list of volumes, the copies and the claim are read, each once', async () => {
  const cluster = clusterOf(...copies, held());
  await populateClaim.read(cluster, key, now);
  expect([...new Set(cluster.asked)]).toEqual(cluster.asked);
  expect(cluster.asked).toEqual([
    '/apis/snapshot.storage.k8s.io/v1/volumesnapshotcontents/populate-uid-claim',
    '/apis/snapshot.storage.k8s.io/v1/namespaces/longshore-system/volumesnapshots/populate-uid-claim',
    '/api/v1/namespaces/longshore-system/persistentvolumeclaims/populate-uid-claim',
    'PersistentVolume in undefined',
    '/api/v1/namespaces/test/persistentvolumeclaims/copy',
  ]);
});

describe('what is not ours is left alone under the name of copies:', () => {
  test.each<[string, ClusterObject]>([
    ['a claim', { ...prime(), metadata: { ...prime().metadata, annotations: {}, finalizers: [] } } as ClusterObject],
    [
      'a claim that is to be populated itself',
      linkedClaim({ metadata: { namespace: 'longshore-system', name: copyName, finalizers: [] } }),
    ],
    ['a snapshot', snapshotCopy({}, { annotations: {} })],
    ['a content', contentCopy({ annotations: {} })],
  ])('%s', async (_, object) => {
    expect((await writesOf(object)).filter((write) => write.startsWith('delete'))).toEqual([]);
  });
});

test('its last failure is nobody’s to be told', async () => {
  expect(summaryOf(decideFailed(await read(...copies), 'denied', now))).toBe('reject Failed');
});

test('nothing is asked of what a mark names that can be no name', async () => {
  const cluster = clusterOf(contentCopy({ annotations: { 'longshore.dev/populates': '../x/y' } }));
  await populateClaim.read(cluster, key, now);
  expect(cluster.asked).toHaveLength(4);
});

test('a refusal ends the run', async () => {
  const world = { ...(await read(contentCopy())), refused: { slot: 'contentCopy', message: 'no' } } as const;
  // The shell throws what is refused twice, and the message comes again.
  expect(summaryOf(decide(world, now))).toBe('delete contentCopy');
});
