import { describe, expect, test } from '@jest/globals';
import { populateClaim } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/step.ts';
import type { ClusterObject } from '../../../../../../lib/kubernetes/objects.ts';
import { clusterOf } from '../../../cluster-of.ts';
import { claimKey } from '../../populate-play.ts';
import * as stage from '../../populate-stages.ts';
import { conditionOf, settle, summaryOf } from '../../populate-table.ts';

const told = stage.said('True', 'Populated', 'restored from VolumeSnapshot prod/backup');
const populated = [stage.bound([told], { finalizers: [] }), stage.handed()];
const latePrime = stage.prime({ uid: 'uid-late' }, 'pvc-uid-late');
const lateVolume = (policy: 'Delete' | 'Retain') =>
  stage.volume(
    { claimRef: { ...stage.toPrime, uid: 'uid-late' }, persistentVolumeReclaimPolicy: policy },
    { name: 'pvc-uid-late', uid: 'uid-late-volume' },
  );
const read = (...objects: ClusterObject[]) => populateClaim.read(clusterOf(...objects), claimKey, stage.now);

describe('a populated claim stays so when a prime claim turns up that was made too late', () => {
  test.each<[string, ClusterObject[], string[]]>([
    [
      'with a volume of its own',
      [latePrime, lateVolume('Delete')],
      ['delete prime', 'patch prime', 'delete snapshotCopy', 'delete contentCopy'],
    ],
    [
      'with a volume that its class retains',
      [latePrime, lateVolume('Retain')],
      ['delete prime', 'patch volume', 'patch prime', 'delete snapshotCopy', 'delete contentCopy'],
    ],
    [
      'without a volume',
      [stage.prime({ uid: 'uid-late' })],
      ['delete prime', 'patch prime', 'delete snapshotCopy', 'delete contentCopy'],
    ],
    [
      'and whose volume is not to be found',
      [latePrime],
      ['delete prime', 'patch prime', 'delete snapshotCopy', 'delete contentCopy'],
    ],
  ])('%s', async (_, late, expected) => {
    const world = await read(...populated, ...late, stage.contentCopy(), stage.snapshotCopy());
    const rest = settle(world);
    expect(rest.writes).toEqual(expected);
    expect(summaryOf(rest.decision)).toBe('done Populated');
    expect(conditionOf(rest.world.claim)).toEqual(told);
    expect(rest.world.claimVolume).toEqual(stage.handed());
  });

  test('and took a volume that lay about, which is secured', async () => {
    const stray = { ...lateVolume('Delete'), metadata: { ...stage.stray().metadata, name: 'pvc-uid-late' } };
    const rest = settle(await read(...populated, latePrime, stray));
    expect(rest.writes).toEqual(['patch volume', 'delete prime', 'patch prime']);
    expect(rest.world.volume?.spec.persistentVolumeReclaimPolicy).toBe('Retain');
    expect(conditionOf(rest.world.claim)).toEqual(told);
  });
});
