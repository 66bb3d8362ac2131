import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import { reading } from '../../populate-reading.ts';
import * as stage from '../../populate-stages.ts';
import { settle, summaryOf, writeOf } from '../../populate-table.ts';

const { held, now, prime } = stage;

describe('a prime claim that goes and names no volume', () => {
  const going = prime({ deletionTimestamp: stage.deletionTimestamp });
  const deleted = held({ metadata: stage.deleting });

  test('keeps its finalizer until all volumes were listed as they are', async () => {
    expect(summaryOf(decide({ claim: deleted, prime: going, readAt: now }, now))).toBe('reread VolumesNotListed');
    const { ages, world } = await reading(deleted, going);
    expect(ages).toEqual(['PersistentVolume present']);
    expect(settle(world).writes).toEqual(['patch prime', 'patch claim']);
  });

  test('is read again when it was there a moment before', () => {
    const first = writeOf(decide({ claim: deleted, prime: prime(), readAt: now }, now));
    expect(first).toMatchObject({ verb: 'delete', slot: 'prime' });
    expect(settle({ claim: deleted, prime: prime(), readAt: now }).world.areVolumesListed).toBe(true);
  });

  test('is named by one that lay about, which is secured first', async () => {
    const { world } = await reading(deleted, going, stage.stray());
    const { writes, world: after } = settle(world);
    expect(writes).toEqual(['patch volume', 'patch prime', 'patch claim']);
    expect(after.volume?.spec.persistentVolumeReclaimPolicy).toBe('Retain');
  });

  test('is not mistaken for an earlier one that another volume names', async () => {
    const earlier = stage.stray({ claimRef: { ...stage.toPrime, uid: 'uid-earlier' } });
    expect((await reading(deleted, going, earlier)).world.volume).toBeUndefined();
  });
});
