import { describe, expect, test } from '@jest/globals';
import { matchClaim } from '../../../../../../lib/capabilities/transfers/steps/match-claim/step.ts';
import { rebindVolume } from '../../../../../../lib/capabilities/transfers/steps/rebind-volume/step.ts';
import type { Claim, ClusterObject } from '../../../../../../lib/kubernetes/objects.ts';
import { claim, protection, referenceTo } from '../../../../../support/builders.ts';
import { clusterOf } from '../../../cluster-of.ts';
import { settle, summaryOf } from '../../../table.ts';
import * as offer from '../../offer-stages.ts';

/** Marks that users wrote, where nothing keeps them from it: they give nobody anything. */
const { now } = offer;
const thief = { namespace: 'evil', name: 'claim', uid: 'uid-thief' };

async function endOf(key: { namespace: string; name: string }, ...objects: ClusterObject[]) {
  return settle(matchClaim.decide, await matchClaim.read(clusterOf(...objects), key, now));
}
const touches = (writes: string[]) => writes.filter((write) => !write.endsWith(' status'));

describe("a claim that names somebody else's volume", () => {
  const naming = (annotations: Record<string, string>): Claim => ({
    ...claim({ metadata: { ...thief, annotations } }),
    status: { phase: 'Pending' },
  });

  test('does not have it offered by offering itself', async () => {
    const { writes, decision } = await endOf(thief, naming({ transferRequest: 'evil/other' }), claim(), offer.plain());
    expect([touches(writes), summaryOf(decision)]).toEqual([[], 'wait SourceNotBound']);
  });

  test('does not have it offered even if it says that it is bound', async () => {
    const bound = claim({ metadata: { ...thief, annotations: { transferRequest: 'evil/other' } } });
    const { writes, decision } = await endOf(thief, bound, claim(), offer.plain());
    expect([touches(writes), summaryOf(decision)]).toEqual([[], 'wait VolumeNotBound']);
  });

  test('does not get it by accepting it', async () => {
    const accepting = naming({ ...offer.word, [offer.status]: 'pending', [offer.volumeMark]: 'volume-1' });
    const { world, writes } = await endOf(thief, accepting, offer.letGo(), offer.recorded());
    expect(touches(writes)).toEqual(['patch target']);
    expect(world.volume).toBeUndefined();
    expect(world.target?.metadata.annotations).toEqual(offer.word);
  });
});

test('a claim with the name of the source cannot be put in its place', async () => {
  const forged = offer.letGo({ uid: 'uid-forged' });
  const world = await rebindVolume.read(
    clusterOf(offer.recorded(), forged, offer.awaiting()),
    { name: 'volume-1' },
    now,
  );
  const { world: end, decision } = settle(rebindVolume.decide, world);
  expect(summaryOf(decision)).toBe('reject SourceVanished');
  expect(end.volume?.spec).toEqual(offer.recorded().spec);
});

test('a mark that says pending does not make a volume safe that is not: it is made safe', async () => {
  const { world } = await endOf({ namespace: 'prod', name: 'data' }, offer.pending(), offer.plain());
  expect(world.volume?.spec.persistentVolumeReclaimPolicy).toBe('Retain');
  expect(world.volume?.metadata.annotations).toMatchObject(offer.record);
});

test('a fence on a claim that nobody offers is taken off, and nothing else of it', async () => {
  const forged = claim({ metadata: { finalizers: [protection, offer.fence], annotations: { note: 'mine' } } });
  const { world, writes } = await endOf({ namespace: 'prod', name: 'data' }, forged, offer.plain());
  expect(writes).toEqual(['patch volume', 'patch source', 'patch volume']);
  expect(world.volume).toEqual({ ...offer.plain(), metadata: world.volume?.metadata });
  expect(world.volume?.metadata.annotations).toEqual({});
  expect(world.source?.metadata).toMatchObject({ finalizers: [protection], annotations: { note: 'mine' } });
});

test('a mark that says complete gives no volume to a claim, and takes none from another', async () => {
  const forged = offer.accepting({ annotations: { ...offer.word, [offer.status]: 'complete' } });
  const world = await rebindVolume.read(
    clusterOf(offer.recorded(offer.released, { claimRef: referenceTo(claim()) }), forged),
    { name: 'volume-1' },
    now,
  );
  // A claim that has got what it accepted accepts nothing more: this one may come from a backup.
  const { world: end, writes, decision } = settle(rebindVolume.decide, world);
  expect([writes, summaryOf(decision)]).toEqual([['patch volume'], 'reject DestinationTaken']);
  expect(end.volume?.spec).toEqual(world.volume?.spec);
});
