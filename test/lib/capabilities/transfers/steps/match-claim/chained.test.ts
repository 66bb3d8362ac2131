import { describe, expect, test } from '@jest/globals';
import { matchClaim } from '../../../../../../lib/capabilities/transfers/steps/match-claim/step.ts';
import { rebindVolume } from '../../../../../../lib/capabilities/transfers/steps/rebind-volume/step.ts';
import type { Claim, ClusterObject, Volume } from '../../../../../../lib/kubernetes/objects.ts';
import { claim, referenceTo } from '../../../../../support/builders.ts';
import { clusterOf } from '../../../cluster-of.ts';
import { settle, summaryOf } from '../../../table.ts';
import * as offer from '../../offer-stages.ts';

/** The target of the first transfer, stage/copy, is offered on to test/end, while messages of the first come once more. */
const { now } = offer;
const { annotations } = offer.complete().metadata;
const copy = (more: Record<string, string> = {}): Claim => ({
  ...offer.complete(),
  metadata: { ...offer.complete().metadata, annotations: { ...annotations, ...more } },
});
const onward = { transferRequest: 'test/end', [offer.status]: 'pending' };
const offeredOn: Claim = { ...copy(onward), metadata: { ...copy(onward).metadata, finalizers: [offer.fence] } };
const end = offer.accepting({
  namespace: 'test',
  name: 'end',
  uid: 'uid-end',
  annotations: { transferAccept: 'stage/copy' },
});
const ofSecond: Volume = offer.recorded(
  {
    'pv.kubernetes.io/transfer-source': 'stage/copy',
    'pv.kubernetes.io/transfer-destination': 'test/end',
    'longshore.dev/transfer-offered-by': 'stage/copy/uid-target',
    'longshore.dev/transfer-source-namespace': 'uid-stage/2026-01-01T00:00:00Z',
    'longshore.dev/transfer-destination-namespace': 'uid-test',
  },
  offer.ofTarget,
);

async function replay(step: typeof rebindVolume, name: string, ...objects: ClusterObject[]) {
  const [namespace = '', claimName = ''] = name.split('/');
  const key = step === rebindVolume ? { name } : { namespace, name: claimName };
  const { writes, decision } = settle(step.decide, await step.read(clusterOf(...objects), key, now));
  return [...writes, summaryOf(decision)];
}

test('a volume that has been transferred can be offered on: its own policy is the one that counts', async () => {
  const volume = offer.plain(offer.ofTarget, { annotations: { 'pv.kubernetes.io/transfer-status': 'complete' } });
  const world = await matchClaim.read(
    clusterOf(copy({ transferRequest: 'test/end' }), volume, end),
    { namespace: 'stage', name: 'copy' },
    now,
  );
  const settled = settle(matchClaim.decide, world);
  expect(settled.writes).toEqual([
    'patch source',
    'patch volume',
    'patch source',
    'patch target',
    'patch source status',
  ]);
  expect(settled.world.volume?.metadata.annotations).toEqual(ofSecond.metadata.annotations);
});

describe('a message of the first transfer that comes once more', () => {
  const objects = [
    offeredOn,
    { ...end, metadata: { ...end.metadata, annotations: { ...onward, ...end.metadata.annotations } } },
  ];
  test('leads to the second by the record on the volume', async () => {
    expect(await replay(rebindVolume, 'volume-1', ofSecond, ...objects)).toEqual([
      'patch source status',
      'wait AwaitingDeletion',
    ]);
  });

  test('leads nowhere from a claim that has the name of the first source', async () => {
    expect(await replay(matchClaim, 'prod/data', offer.recreated, ofSecond, ...objects)).toEqual(['done NoTransfer']);
    expect(await replay(matchClaim, 'prod/data', ofSecond, ...objects)).toEqual(['done NoTransfer']);
  });
});

test('a claim that was made anew as the template of the first one says is offered with its own volume', async () => {
  const anew = claim({
    metadata: { uid: 'uid-recreated', annotations: offer.wish },
    spec: { volumeName: 'volume-2' },
  });
  const own: Volume = { ...offer.plain({ claimRef: referenceTo(anew) }), metadata: { name: 'volume-2', uid: 'uid-2' } };
  const writes = await replay(matchClaim, 'prod/data', anew, own, offer.complete(), ofSecond);
  // The claim that it names has what it accepted: it is left alone, and the owner of this one is told.
  const told = ['patch source status', 'reject DestinationTaken'];
  expect(writes).toEqual(['patch source', 'patch volume', 'patch source', ...told]);
});
