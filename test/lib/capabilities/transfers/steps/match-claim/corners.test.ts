import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-claim/decide.ts';
import { read } from '../../../../../../lib/capabilities/transfers/steps/match-claim/read.ts';
import { matchClaim } from '../../../../../../lib/capabilities/transfers/steps/match-claim/step.ts';
import { decide as decideRequest } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/decide.ts';
import { decide as decideVolume } from '../../../../../../lib/capabilities/transfers/steps/rebind-volume/decide.ts';
import { read as readVolume } from '../../../../../../lib/capabilities/transfers/steps/rebind-volume/read.ts';
import type { Claim, ClusterObject, Condition } from '../../../../../../lib/kubernetes/objects.ts';
import { claim, grant, pod, referenceTo, request } from '../../../../../support/builders.ts';
import { clusterOf } from '../../../cluster-of.ts';
import { fold, settle, summaryOf, transferredOf } from '../../../table.ts';
import { routesAfter as byAnnotation } from '../../by-annotation/routes-after.ts';
import { routesAfter as byRequest } from '../../by-request/routes-after.ts';
import * as offer from '../../offer-stages.ts';
import * as stage from '../../stages.ts';

const { now } = offer;

test('a pod of the recreated claim does not keep a released volume from moving', async () => {
  const objects = [offer.recorded(offer.released), offer.recreated, offer.accepting(), offer.recreatedPod];
  const world = await readVolume(clusterOf(...objects), { name: 'volume-1' }, now);
  expect(settle(decideVolume, world).writes).toContain('patch volume');
});

test('a pod of the claim that was made anew in its place does not keep the volume of a request from moving', async () => {
  const { metadata } = stage.recreated;
  const anew = { ...stage.recreated, metadata: { ...metadata, creationTimestamp: '2026-03-01T11:59:20Z' } };
  const objects = [stage.recorded(), anew, stage.target(), request()];
  const read = (...pods: ClusterObject[]) => readVolume(clusterOf(...objects, ...pods), { name: 'volume-1' }, now);
  expect(settle(decideVolume, await read(offer.recreatedPod)).writes).toContain('patch volume');
  const older = pod({ metadata: { creationTimestamp: '2026-03-01T11:59:10Z' } });
  expect(settle(decideVolume, await read(older)).writes).not.toContain('patch volume');
});

describe('who is told', () => {
  const stranger = claim({ metadata: { namespace: 'stage', name: 'copy', uid: 'uid-target' } });
  test('refusal is not told to a stranger', () => {
    const world = { ...offer.withSureFence, target: stranger, refused: { slot: 'volume', message: 'x' } } as const;
    expect(settle(decide, world).writes).toEqual(['patch source status']);
  });
  test('failure is not told to a stranger', () => {
    const { writes } = settle((w, at) => matchClaim.decideFailed(w, 'x', at), {
      ...offer.withPending,
      target: stranger,
    });
    expect(writes).toEqual(['patch source status']);
  });
  test('nor to a recreated source', () => {
    const world = {
      ...offer.orphaned,
      source: offer.recreated,
      target: offer.awaiting(),
      refused: { slot: 'volume', message: 'x' },
    } as const;
    expect(settle(decide, world).writes).toEqual(['patch target status']);
  });
});

describe('stale words', () => {
  const said = (reason: string): Condition => ({
    type: 'Transferred',
    status: 'False',
    reason,
    message: '',
    lastTransitionTime: '',
  });
  test('source', () => {
    const source: Claim = { ...offer.offered(), status: { phase: 'Bound', conditions: [said('SourceNotBound')] } };
    const { world, decision } = settle(decide, { ...offer.asked, source });
    expect(summaryOf(decision)).toBe('wait AwaitingAcceptance');
    expect(transferredOf(world.source)?.reason).not.toBe('SourceNotBound');
  });
  test('target', () => {
    const target: Claim = { ...offer.accepting(), status: { phase: 'Pending', conditions: [said('NotOffered')] } };
    const { world } = settle(decide, { ...offer.withPending, target });
    expect(transferredOf(world.target)?.reason).not.toBe('NotOffered');
  });
});

test('one failure is counted once', () => {
  let world = { ...offer.agreed, refused: { slot: 'volume', message: 'x' } } as typeof offer.agreed;
  let count = 0;
  for (;;) {
    const decision = decide(world, now);
    if (decision.do !== 'write') break;
    count += decision.write.measure?.length ?? 0;
    world = fold(world, decision.write);
  }
  expect(count).toBe(1);
});

test('a claim that has its volume is not told that it is not offered', async () => {
  const { annotations } = offer.complete().metadata;
  const onward = {
    ...offer.complete(),
    metadata: { ...offer.complete().metadata, annotations: { ...annotations, transferRequest: 'test/end' } },
  };
  const held = offer.plain(offer.ofTarget);
  const start = await read(clusterOf(onward, held), { namespace: 'stage', name: 'copy' }, now);
  const begun = settle(decide, start).world;
  const { transferRequest: _, ...rest } = begun.source?.metadata.annotations ?? {};
  const back = { ...(begun.source as Claim), metadata: { ...begun.source?.metadata, annotations: rest } } as Claim;
  const end = settle(decide, { ...begun, source: back }).world;
  const later = await read(clusterOf(end.source as Claim, held), { namespace: 'stage', name: 'copy' }, now);
  expect(settle(decide, later).writes).toEqual([]);
});

test('an expired request with a finalizer of others comes to rest', () => {
  const status = {
    complete: true,
    conditions: [
      {
        type: 'Complete',
        status: 'True',
        reason: '',
        message: '',
        lastTransitionTime: '2026-03-01T11:00:00Z',
      } as Condition,
    ],
  };
  const expired = request({
    metadata: { finalizers: ['example.com/lock'] },
    spec: { ttlSecondsAfterFinished: 0 },
    status,
  });
  expect(settle(decideRequest, { ...stage.restored, approval: undefined, request: expired }).writes).toEqual([
    'delete request',
  ]);
});

test('a source that is not deleted is not said to be', () => {
  const other = offer.recorded({}, { claimRef: referenceTo(claim({ metadata: { name: 'other', uid: 'uid-other' } })) });
  const { world } = settle(decide, { ...offer.withPending, volume: other });
  expect(transferredOf(world.source)?.message ?? '').not.toContain('is deleted');
});

test('a pending mark goes from a claim that does not accept any more', () => {
  const target = offer.awaiting({ annotations: { [offer.status]: 'pending', [offer.volumeMark]: 'volume-1' } });
  const { world } = settle(decide, { ...offer.agreed, target });
  expect(world.target?.metadata.annotations).toEqual({});
});

test('strayed is told', () => {
  const target = offer.accepting({}, { volumeName: 'volume-2' });
  expect(settle(decide, { ...offer.unfenced, target }).writes).toEqual(['patch target status']);
});

test('a grant that shuts somebody out wakes them', () => {
  const other = grant({ spec: { from: [{ group: '', kind: '', namespace: 'test' }] } });
  expect(byRequest(['added', request()], ['added', grant()], ['updated', other])).toEqual([
    'match-transfer stage/move',
  ]);
});

test('pods are seen by whoever secures late', async () => {
  const source = offer.fenced({ deletionTimestamp: offer.deletionTimestamp, finalizers: [offer.fence] });
  const world = await read(
    clusterOf(source, offer.plain(), offer.accepting(), pod()),
    { namespace: 'prod', name: 'data' },
    now,
  );
  expect(settle(decide, world).world.volume?.spec.claimRef?.uid).toBe('uid-source');
});

test('a claim whose volume is gone is tidied up whichever is seen first', () => {
  const lost: Claim = { ...offer.pending(), status: { phase: 'Lost' } };
  const first = byAnnotation(['added', offer.pending()], ['updated', offer.recorded()], ['updated', lost]);
  const second = byAnnotation(
    ['added', offer.pending()],
    ['updated', offer.recorded()],
    ['updated', lost],
    ['deleted', offer.recorded()],
  );
  expect([...first, ...second]).toContain('match-claim prod/data');
});

test('a record of a request counts for more than a finalizer of an offer on its source', () => {
  const source = stage.fenced({
    deletionTimestamp: offer.longAgo,
    finalizers: [stage.ours, offer.fence],
    annotations: { ...stage.fence, ...offer.wish },
  });
  expect(settle(decideVolume, { ...stage.released, source }).decision).not.toMatchObject({ reason: 'SourceBusy' });
});

test('a volume that is being deleted is told before the source goes', () => {
  const volume = offer.recorded();
  const going = { ...volume, metadata: { ...volume.metadata, deletionTimestamp: offer.longAgo } };
  expect(settle(decide, { ...offer.agreed, volume: going }).writes).not.toEqual([]);
});

test('a failure is not told over the word that all is complete', () => {
  const world = { target: offer.complete(), pods: [], readAt: now };
  expect(settle((w, at) => matchClaim.decideFailed(w, 'x', at), world).writes).toEqual([]);
});

test('a claim that is gone is not told anything', () => {
  const world = { ...offer.withFence, volume: undefined, source: offer.letGo() };
  expect(settle(decide, world).writes).toEqual(['patch source']);
});

test('a target that cannot be written to does not hold the deleted source where its namespace goes', () => {
  const world = {
    ...offer.deleted,
    ...offer.going,
    answered: ['source'],
    refused: { slot: 'target', message: 'x' },
  } as const;
  expect(settle(decide, world).writes).toContain('patch volume');
});

test('a target that is changed all the time does not hold the deleted source where its namespace goes', () => {
  const world = { ...offer.deleted, ...offer.going, answered: ['source'], contended: ['target'] } as const;
  expect(settle(decide, world).writes.slice(0, 2)).toEqual(['patch volume', 'patch source']);
  expect(settle(decide, { ...world, contended: [] }).writes[0]).toBe('patch target');
});

test('a claim that waits for a volume is not offered on before it has one', async () => {
  const both = offer.accepting({ annotations: { ...offer.word, transferRequest: 'test/end' } });
  const world = await read(clusterOf(both), { namespace: 'stage', name: 'copy' }, now);
  expect(summaryOf(settle(decide, world).decision)).toBe('wait NotOffered');
});

test('a volume that an administrator lets go on does not move while pods have it mounted', () => {
  const marks = { ...offer.released, 'longshore.dev/transfer-stopped': 'SourceVanished' };
  const world = { ...offer.orphaned, volume: offer.recorded(marks), target: offer.accepting(), pods: [pod()] };
  expect(summaryOf(settle(decide, world).decision)).toBe('wait SourceInUse');
  expect(settle(decide, { ...world, pods: [] }).writes).toContain('patch volume');
});
