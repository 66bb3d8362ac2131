import { describe, expect, test } from '@jest/globals';
import { populateClaim } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/step.ts';
import type { Claim, ClusterObject, Volume } from '../../../../../../lib/kubernetes/objects.ts';
import type { Key } from '../../../../../../lib/kubernetes/resources.ts';
import { linkedClaim } from '../../../../../support/builders-of-snapshots.ts';
import { clusterOf } from '../../../cluster-of.ts';
import { claimKey, everything } from '../../populate-play.ts';
import * as stage from '../../populate-stages.ts';
import { conditionOf, settle, summaryOf } from '../../populate-table.ts';

const { uid: _, ...withoutUid } = stage.toClaim;
/** The volume controller takes the uid off what it cannot bind, and keeps it for the name. */
const reserved: Volume = {
  ...stage.handed({ claimRef: withoutUid, persistentVolumeReclaimPolicy: 'Retain' }),
  status: { phase: 'Available' },
};
const elsewhere = (metadata = {}): Claim =>
  stage.held({ metadata, spec: { volumeName: 'volume-9' }, status: { phase: 'Bound' } });
const copies = [stage.contentCopy(), stage.snapshotCopy(), stage.primeBound()];
const nobody = '00000000-0000-0000-0000-000000000000';
const leftover: Key = { namespace: 'longshore-system', name: stage.copyName };

async function outcomeOf(key: Key, ...objects: ClusterObject[]) {
  return settle(await populateClaim.read(clusterOf(...objects), key, stage.now));
}

describe('a volume that was handed over when the claim had been bound elsewhere', () => {
  const undone = ['delete prime', 'patch prime', 'delete snapshotCopy', 'delete contentCopy', 'patch claim'];

  test('is let go while its prime claim is there, and the claim says so', async () => {
    const { writes, world, decision } = await outcomeOf(claimKey, elsewhere(), ...copies, reserved);
    expect(writes).toEqual(['patch volume', ...undone.slice(0, -1), 'patch claim status', 'patch claim']);
    expect(world.volume?.spec).toMatchObject({
      ...{ persistentVolumeReclaimPolicy: 'Delete', claimRef: { ...withoutUid, uid: nobody } },
    });
    expect(conditionOf(world.claim)).toMatchObject({ status: 'False', reason: 'BoundToOtherVolume' });
    expect(summaryOf(decision)).toBe('done BoundToOtherVolume');
  });

  test('and has its uid still is let go as well', async () => {
    const volume = stage.handed({ persistentVolumeReclaimPolicy: 'Retain' });
    const { writes, world } = await outcomeOf(claimKey, elsewhere(), ...copies, volume);
    expect(writes).toEqual(['patch volume', ...undone.slice(0, -1), 'patch claim status', 'patch claim']);
    expect(world.volume?.spec.persistentVolumeReclaimPolicy).toBe('Delete');
  });

  test('is let go before a claim that is deleted is', async () => {
    const { writes } = await outcomeOf(claimKey, elsewhere(stage.deleting), ...copies, reserved);
    expect(writes).toEqual(['patch volume', ...undone]);
  });

  test('is let go once, and what is said of it stays when the run broke off then', async () => {
    const first = await outcomeOf(claimKey, elsewhere(), ...copies, reserved);
    const again = await outcomeOf(
      claimKey,
      ...([first.world.claim, first.world.volume].filter(Boolean) as ClusterObject[]),
      ...copies,
    );
    expect(conditionOf(again.world.claim)).toMatchObject({ status: 'False', reason: 'BoundToOtherVolume' });
    expect(again.writes).not.toContain('patch volume');
  });
});

describe('a populated volume that is reserved for the name again, when its claim is gone,', () => {
  const anew = linkedClaim({ metadata: { uid: 'uid-anew' } });
  const bound = { ...anew, spec: { ...anew.spec, volumeName: 'pvc-uid-prime' }, status: { phase: 'Bound' } } as Claim;

  const marks = { annotations: { 'longshore.dev/populates': 'test/copy/uid-anew' } };
  const primeAnew = stage.prime({ name: 'populate-uid-anew', ...marks }, 'pvc-uid-prime');

  const elsewhere: Claim = { ...anew, spec: { ...anew.spec, volumeName: 'x' } };

  test.each<[string, Key, ClusterObject[]]>([
    ['by the key of the copies', leftover, []],
    ['by the key of the copies, while there are some', leftover, copies],
    ['by the key of the claim that is gone', claimKey, []],
    ['by the key of one that is made anew', claimKey, [anew, ...everything().slice(1)]],
    ['by the key of one that has got it', claimKey, [bound]],
    ['by the key of one that has got it and is deleted', claimKey, [{ ...bound, ...deletedAs(bound) }]],
    ['by the key of one that has another volume', claimKey, [elsewhere]],
    ['by the key of one that has another volume, with a prime claim that names it', claimKey, [elsewhere, primeAnew]],
  ])('is never touched %s', async (_, key, others) => {
    const { world, writes } = await outcomeOf(key, reserved, ...others);
    expect(writes).not.toContain('patch volume');
    expect(writes).not.toContain('patch late');
    expect([world.volume, world.late].filter((volume) => volume && volume !== reserved)).toEqual([]);
  });
});

function deletedAs({ metadata }: Claim) {
  return { metadata: { ...metadata, ...stage.deleting } };
}
