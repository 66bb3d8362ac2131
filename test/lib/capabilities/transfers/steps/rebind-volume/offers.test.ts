import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/rebind-volume/decide.ts';
import { read } from '../../../../../../lib/capabilities/transfers/steps/rebind-volume/read.ts';
import { rebindVolume } from '../../../../../../lib/capabilities/transfers/steps/rebind-volume/step.ts';
import { approval, claim, configMap, namespace, pod, request, settings } from '../../../../../support/builders.ts';
import { clusterOf } from '../../../cluster-of.ts';
import { settle, summaryOf, testTable, transferredOf } from '../../../table.ts';
import * as offer from '../../offer-stages.ts';
import * as asked from '../../stages.ts';

const { now, destination } = offer;
const key = { name: 'volume-1' };

describe('the offer on a volume leads', () => {
  test('to both claims and to the pods that use the source', async () => {
    const objects = [offer.recorded(), offer.pending(), offer.awaiting(), pod(), request(), approval()];
    expect(await read(clusterOf(...objects), key, now)).toEqual({
      volume: offer.recorded(),
      source: offer.pending(),
      target: offer.awaiting(),
      destination,
      sourceNamespace: namespace('prod'),
      targetNamespace: namespace('stage'),
      settings: settings(),
      pods: [pod()],
      readAt: now,
    });
  });

  test('to no pods once the volume has left the source', async () => {
    const cluster = clusterOf(offer.recorded(offer.released, offer.ofTarget), offer.awaiting(), pod());
    expect((await read(cluster, key, now)).pods).toEqual([]);
  });

  test('to what an administrator has switched off', async () => {
    const cluster = clusterOf(offer.recorded(), configMap({ 'transfers-by-annotation': 'off' }));
    expect((await read(cluster, key, now)).settings?.transfersByAnnotation.isOn).toBe(false);
  });
});

test('a volume without a record whose holder has our fence leads to what the holder is offered to', async () => {
  const world = await read(clusterOf(offer.plain(), offer.fenced(), offer.accepting()), key, now);
  expect(world).toMatchObject({ source: offer.fenced(), target: offer.accepting(), volume: offer.plain() });
  expect(settle(decide, world).writes.slice(0, 2)).toEqual(['patch source', 'patch volume']);
});

test('an offer on a claim that only has the name of the holder leads nowhere', async () => {
  const namesake = offer.fenced({ uid: 'uid-later' });
  const world = await read(clusterOf(offer.plain(), namesake, offer.accepting()), key, now);
  expect(settle(decide, world).writes).toEqual([]);
});

describe('an offer is carried on from wherever it stands', () => {
  testTable(decide, [
    {
      situation: 'a fenced source has its volume made safe',
      world: offer.withSureFence,
      write: 'patch volume',
      next: 'patch source',
    },
    {
      situation: 'a safe volume is told to the source',
      world: offer.secured,
      write: 'patch source',
      next: 'wait AwaitingAcceptance',
    },
    {
      situation: 'an acceptance is answered',
      world: offer.accepted,
      write: 'patch target',
      next: 'patch source status',
    },
    {
      situation: 'a released source is confirmed',
      world: offer.deleted,
      write: 'patch source',
      next: 'patch target',
    },
    {
      situation: 'a source that its volume has left is let go',
      world: offer.moved,
      write: 'patch source',
      next: 'patch target',
    },
    {
      situation: 'the target is told its volume',
      world: offer.unfenced,
      write: 'patch target',
      next: 'wait TargetNotBound',
    },
    { situation: 'a bound target is complete', world: offer.bound, write: 'patch target', next: 'patch volume' },
    {
      situation: 'the policy is given back, and that is the end',
      world: offer.marked,
      write: 'patch volume',
      next: 'done NoTransfer',
    },
  ]);
});

test('a volume whose transfer by annotation is over leads to nothing', async () => {
  const volume = offer.plain(offer.ofTarget, { annotations: { 'pv.kubernetes.io/transfer-status': 'complete' } });
  const world = await read(clusterOf(volume, offer.complete(), offer.recreated), key, now);
  expect(summaryOf(decide(world, now))).toBe('done NoTransfer');
});

describe('a request and an offer exclude each other', () => {
  test('a record of a request leads to its claims, whatever the claims say of offers', async () => {
    const source = asked.fenced({ annotations: { ...asked.fence, ...offer.wish } });
    const objects = [asked.recorded(), source, asked.target(), request(), approval(), offer.accepting()];
    const world = await read(clusterOf(...objects), key, now);
    expect(world).toMatchObject({ source, request: request(), approval: approval() });
    expect(summaryOf(decide({ ...world, answered: ['volume'] }, now))).toBe('delete source');
  });

  test('a record of an offer leads to its claims, whatever requests there are', async () => {
    const objects = [offer.recorded(), offer.pending(), request(), approval()];
    const world = await read(clusterOf(...objects), key, now);
    expect([world.request, world.approval]).toEqual([undefined, undefined]);
    expect(summaryOf(decide(world, now))).toBe('wait AwaitingAcceptance');
  });

  test('a failure of an offer is told to the claims, that of a request to the request', () => {
    const ofOffer = settle((world, at) => rebindVolume.decideFailed(world, 'denied', at), offer.agreed);
    expect(ofOffer.writes).toEqual(['patch source status', 'patch target status']);
    expect(transferredOf(ofOffer.world.source)?.message).toBe('denied');
    const ofRequest = settle((world, at) => rebindVolume.decideFailed(world, 'denied', at), asked.withRecord);
    expect(ofRequest.writes).toEqual(['patch request status']);
  });

  test('a claim that is neither is not written to', async () => {
    const world = await read(clusterOf(offer.plain(), claim(), offer.accepting()), key, now);
    expect(summaryOf(decide(world, now))).toBe('done NoTransfer');
  });
});
