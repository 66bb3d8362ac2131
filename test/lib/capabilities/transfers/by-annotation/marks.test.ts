import { describe, expect, test } from '@jest/globals';
import {
  acceptedFrom,
  addFence,
  clearClaim,
  hasReceived,
  isOffered,
  offeredTo,
  otherFinalizers,
  releaseClaim,
  volumeFor,
} from '../../../../../lib/capabilities/transfers/by-annotation/claim-marks.ts';
import { offerOn, writeOffer } from '../../../../../lib/capabilities/transfers/by-annotation/volume-marks.ts';
import { claim, protection } from '../../../../support/builders.ts';
import * as offer from '../offer-stages.ts';

const offering = (transferRequest: string) => offeredTo(offer.offered({ annotations: { transferRequest } }));

describe('the wish of an owner', () => {
  test('names a place, or it is malformed', () => {
    expect(offering('stage/copy')).toEqual({ place: { namespace: 'stage', name: 'copy' }, text: 'stage/copy' });
    for (const text of ['copy', '/', 'stage/', '/copy', 'a/b/c', ' '])
      expect(offering(text)).toEqual({ malformed: text });
  });

  test('is none when it is empty or absent, or when there is no claim', () => {
    expect([offering(''), offeredTo(claim()), offeredTo(undefined), acceptedFrom(claim())]).toEqual(
      Array(4).fill(undefined),
    );
  });

  test('of one side is not that of the other', () => {
    expect([offeredTo(offer.accepting()), acceptedFrom(offer.offered())]).toEqual([undefined, undefined]);
    expect(acceptedFrom(offer.accepting())).toEqual({ place: { namespace: 'prod', name: 'data' }, text: 'prod/data' });
  });
});

describe('the offer on a volume', () => {
  test('is what was recorded', () => {
    expect(offerOn(offer.recorded())).toEqual({
      source: { namespace: 'prod', name: 'data', uid: 'uid-source' },
      home: { uid: 'uid-prod', madeAt: Date.parse('2026-01-01T00:00:00Z') },
      destination: { namespace: 'stage', name: 'copy' },
      destinationNamespace: 'uid-stage',
      originalPolicy: 'Delete',
      releasedAt: undefined,
      isStopped: false,
    });
    expect(offerOn(offer.recorded(offer.released))?.releasedAt).toEqual(new Date('2026-03-01T11:59:00Z'));
    expect(offerOn(offer.recorded({ 'longshore.dev/transfer-stopped': 'SourceVanished' }))?.isStopped).toBe(true);
  });

  test.each(['complete', 'withdrawn', 'Pending', ''])('is none when the status is %p', (status) => {
    expect(offerOn(offer.recorded({ 'pv.kubernetes.io/transfer-status': status }))).toBeUndefined();
  });

  test.each([
    ['longshore.dev/transfer-offered-by', 'prod/data'],
    ['pv.kubernetes.io/transfer-destination', 'copy'],
    ['longshore.dev/original-reclaim-policy', ''],
  ])('is none when %s is %p: what cannot be finished is not begun', (name, text) => {
    expect(offerOn(offer.recorded({ [name]: text }))).toBeUndefined();
  });

  test('is not released by a time that cannot be read', () => {
    expect(offerOn(offer.recorded({ 'longshore.dev/transfer-released': 'yesterday' }))?.releasedAt).toBeUndefined();
  });

  test('keeps the policy that the volume had, and Retain where it had none', () => {
    const written = writeOffer(
      offer.offered(),
      offer.destination,
      offer.plain({ persistentVolumeReclaimPolicy: 'Recycle' }),
      {},
    );
    expect(written).toMatchObject({
      metadata: { annotations: { 'longshore.dev/original-reclaim-policy': 'Recycle' } },
    });
    const { persistentVolumeReclaimPolicy: _, ...spec } = offer.plain().spec;
    const without = writeOffer(offer.offered(), offer.destination, { ...offer.plain(), spec }, {});
    expect(without).toMatchObject({ metadata: { annotations: { 'longshore.dev/original-reclaim-policy': 'Retain' } } });
  });
});

describe('the fence', () => {
  const foreign = 'example.com/lock';

  test('is put behind the finalizers of others, once', () => {
    const held = offer.fenced({ finalizers: [protection, offer.fence, foreign] });
    expect(addFence(held)).toEqual({ metadata: { finalizers: [protection, foreign, offer.fence] } });
    expect(otherFinalizers(held)).toEqual([protection, foreign]);
    expect(addFence(offer.offered({ finalizers: [] }))).toEqual({ metadata: { finalizers: [offer.fence] } });
  });

  test('goes with the marks, and what others wrote stays', () => {
    expect(clearClaim(offer.fenced())).toEqual({ metadata: { finalizers: [protection] } });
    const marks = { [offer.status]: null, [offer.volumeMark]: null };
    expect(clearClaim(offer.pending())).toEqual({ metadata: { annotations: marks, finalizers: [protection] } });
    expect(clearClaim(offer.awaiting())).toEqual({ metadata: { annotations: marks } });
  });
});

test('the volume that a claim waits for is the one that it names, or the one that is marked on it', () => {
  expect(volumeFor(offer.accepting())).toBeUndefined();
  expect(volumeFor(offer.awaiting())).toBe('volume-1');
  expect(volumeFor(offer.awaiting({}, { volumeName: 'volume-2' }))).toBe('volume-2');
});

test('a claim has received a volume when it names it and says whose it was', () => {
  const source = { namespace: 'prod', name: 'data' };
  expect(hasReceived(offer.told(), offer.recorded(), source)).toBe(true);
  expect(hasReceived(offer.told(), offer.recorded(), { ...source, name: 'other' })).toBe(false);
  expect(hasReceived(offer.awaiting({}, { volumeName: 'volume-1' }), offer.recorded(), source)).toBe(false);
  expect(hasReceived(offer.told(), { ...offer.recorded(), metadata: { name: 'volume-2' } }, source)).toBe(false);
});

describe('the fence of a request on a claim that has been deleted', () => {
  const byRequest = 'longshore.dev/transfer';
  const left = claim({ metadata: { deletionTimestamp: offer.longAgo, finalizers: [protection, byRequest] } });
  const named = { ...left, metadata: { ...left.metadata, annotations: { [byRequest]: 'stage/move/uid-request' } } };

  test('is ours when no request is named there any more, and goes as our own does', () => {
    expect([isOffered(left), otherFinalizers(left)]).toEqual([true, [protection]]);
    expect(clearClaim(left)).toEqual({ metadata: { finalizers: [protection] } });
  });

  test('is the request’s as long as one is named, or the claim is not deleted', () => {
    const { deletionTimestamp: _, ...metadata } = left.metadata;
    for (const each of [named, { ...left, metadata }]) {
      expect([isOffered(each), otherFinalizers(each)]).toEqual([false, [protection, byRequest]]);
    }
  });

  test('goes in any case when the volume is another claim’s', () => {
    expect(releaseClaim(named)).toEqual({ metadata: { finalizers: [protection] } });
  });
});
