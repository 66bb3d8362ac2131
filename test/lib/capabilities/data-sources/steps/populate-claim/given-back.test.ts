import { describe, expect, test } from '@jest/globals';
import { populateClaim } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/step.ts';
import type { ClusterObject, Volume } from '../../../../../../lib/kubernetes/objects.ts';
import { clusterOf } from '../../../cluster-of.ts';
import * as stage from '../../populate-stages.ts';
import { settle } from '../../populate-table.ts';

const key = { namespace: 'longshore-system', name: stage.copyName };
const mark = 'longshore.dev/taken-in-error';
const user = { ...stage.toClaim, namespace: 'shop', name: 'data', uid: 'uid-of-a-user' };

/** Free again, and still retained. */
const taken = (phase: string, claimRef: object | undefined, marks: Record<string, string> = {}): Volume =>
  ({
    ...stage.stray({ persistentVolumeReclaimPolicy: 'Retain' }, { [mark]: `${stage.copyName}/Delete`, ...marks }),
    spec: { ...stage.stray().spec, persistentVolumeReclaimPolicy: 'Retain', claimRef },
    status: { phase },
  }) as Volume;

async function outcomeOf(...objects: ClusterObject[]) {
  const { world, writes } = settle(await populateClaim.read(clusterOf(...objects), key, stage.now));
  return { writes, late: world.late };
}

describe('a volume that was taken in error gets its policy back', () => {
  test.each([
    ['that is free', taken('Available', undefined)],
    ['that somebody has by now', taken('Bound', user)],
    ['that was transferred since', taken('Bound', user, { 'pv.kubernetes.io/transfer-status': 'complete' })],
  ])('%s', async (_, volume) => {
    const { writes, late } = await outcomeOf(volume);
    expect(writes).toEqual(['patch late']);
    expect(late?.spec).toEqual({ ...volume.spec, persistentVolumeReclaimPolicy: 'Delete' });
    expect(late?.metadata.annotations).not.toHaveProperty(mark);
  });

  test.each(['Released', 'Failed', 'Pending'])('but not while it is %s, whoever it is for', async (phase) => {
    for (const claimRef of [undefined, user]) expect((await outcomeOf(taken(phase, claimRef))).writes).toEqual([]);
  });
});
