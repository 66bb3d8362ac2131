import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-claim/decide.ts';
import type { Claim, Volume } from '../../../../../../lib/kubernetes/objects.ts';
import { namespace, protection, referenceTo, settings } from '../../../../../support/builders.ts';
import { settle, summaryOf, testTable, transferredOf } from '../../../table.ts';
import * as offer from '../../offer-stages.ts';

const taken = { annotations: { [offer.status]: 'pending' } };
const cleared = { [offer.status]: null, [offer.volumeMark]: null };
const off = settings('transfersByAnnotation');
const { deletionTimestamp } = offer;

/** The volume says that the fence of the claim, as it was read, is being taken off, and has no record. */
const unfencing = { 'longshore.dev/transfer-unfencing': 'prod/data/uid-source/1' };
const sure = { volume: offer.plain({}, { annotations: unfencing }) };
const noLonger = { metadata: { annotations: { 'longshore.dev/transfer-unfencing': null } } };

describe('an offer that is taken back before the volume is safe', () => {
  testTable(decide, [
    {
      situation: 'is noted on the volume first, so that nobody can write a record there any more who read it before',
      world: { ...offer.withFence, source: offer.fenced({ annotations: {} }) },
      write: 'patch volume',
      exactly: { metadata: { annotations: unfencing } },
      next: 'patch source',
    },
    {
      situation: 'takes the fence with it',
      world: { ...offer.withFence, ...sure, source: offer.fenced({ annotations: {} }) },
      write: 'patch source',
      exactly: { metadata: { finalizers: [protection] } },
      next: 'patch volume',
    },
    {
      situation: 'is noted anew where the claim has changed since',
      world: { ...offer.withFence, ...sure, source: offer.fenced({ annotations: {}, resourceVersion: '2' }) },
      write: 'patch volume',
      exactly: { metadata: { annotations: { 'longshore.dev/transfer-unfencing': 'prod/data/uid-source/2' } } },
      next: 'patch source',
    },
    {
      situation: 'lets a claim go that its owner has deleted as well',
      world: { ...offer.withFence, ...sure, source: offer.letGo({ annotations: {} }) },
      write: 'patch source',
      exactly: { metadata: { finalizers: [] } },
      next: 'patch volume',
    },
    {
      situation: 'leaves no note when the fence is off',
      world: { ...offer.asked, ...sure, source: offer.offered({ annotations: {} }), answered: ['source'] },
      write: 'patch volume',
      exactly: noLonger,
      next: 'done NoTransfer',
    },
    {
      situation: 'leaves no note when the claim is gone',
      world: { ...offer.asked, ...sure, source: undefined },
      write: 'patch volume',
      exactly: noLonger,
      next: 'done NoTransfer',
    },
    {
      situation: 'leaves no note on a volume that another claim of its name has by now',
      world: { ...offer.asked, ...sure, source: offer.offered({ uid: 'uid-later', annotations: {} }) },
      write: 'patch volume',
      exactly: noLonger,
      next: 'done NoTransfer',
    },
    {
      situation: 'does not lose the note by an old answer that has no fence: the claim is confirmed first',
      world: { ...offer.asked, ...sure, source: offer.offered({ annotations: {} }) },
      write: 'patch source',
      exactly: {},
      next: 'patch volume',
    },
    {
      situation: 'and made again is begun anew, as the fence may be off in the next moment',
      world: { ...offer.withFence, ...sure },
      write: 'patch source',
      exactly: { metadata: { finalizers: [protection] } },
      next: 'patch source',
    },
    {
      situation: 'and made again since then is carried on: whoever takes the fence off is refused',
      world: { ...offer.withSureFence, ...sure, source: offer.fenced({ resourceVersion: '2' }) },
      write: 'patch volume',
      exactly: {
        metadata: { annotations: { ...offer.record, ...noLonger.metadata.annotations } },
        spec: { persistentVolumeReclaimPolicy: 'Retain' },
      },
      next: 'patch source',
    },
  ]);
});

describe('an offer that cannot be carried out any more, its volume not being safe,', () => {
  testTable(decide, [
    {
      situation: 'loses its fence while nobody deletes the claim',
      world: { ...offer.withFence, ...sure, settings: off },
      write: 'patch source',
      exactly: { metadata: { finalizers: [protection] } },
      next: 'patch volume',
    },
    {
      situation: 'keeps it when the claim is deleted, as the volume would go with the claim',
      world: { ...offer.withFence, settings: off, source: offer.fenced({ deletionTimestamp }) },
      says: 'wait TransfersOff',
      on: ['source'],
    },
    {
      situation: 'lets a deleted claim go that has no volume any more',
      world: { ...offer.withFence, volume: undefined, source: offer.letGo() },
      write: 'patch source',
      exactly: { metadata: { annotations: cleared, finalizers: [] } },
      next: 'done SourceGone',
    },
    {
      situation: 'lets a claim go that has lost its volume',
      world: { ...offer.withFence, volume: undefined, source: { ...offer.fenced(), status: { phase: 'Lost' } } },
      write: 'patch source',
      exactly: { metadata: { finalizers: [protection] } },
      next: 'patch source status',
    },
  ]);
});

describe('an offer that is taken back while the owner still has the claim', () => {
  const source = offer.pending(taken);
  const seen = ['status', 'source', 'destination'].map((name) => [`pv.kubernetes.io/transfer-${name}`, null]);
  testTable(decide, [
    {
      situation: 'gives the volume its policy back and leaves no mark on it',
      world: { ...offer.agreed, source },
      write: 'patch volume',
      exactly: {
        metadata: { annotations: { ...Object.fromEntries(seen), ...offer.noOwnMarks, ...unfencing } },
        spec: { persistentVolumeReclaimPolicy: 'Delete' },
      },
      next: 'patch source',
    },
    {
      situation: 'and then leaves no mark on the claim',
      world: { ...offer.asked, ...sure, source },
      write: 'patch source',
      exactly: { metadata: { annotations: cleared, finalizers: [protection] } },
      next: 'patch volume',
    },
    {
      situation: 'and none on the claim that accepted, which is told that it is not offered',
      world: { target: offer.awaiting(), settings: settings(), pods: [], readAt: offer.now },
      write: 'patch target',
      exactly: { metadata: { annotations: cleared } },
      next: 'patch target status',
    },
  ]);

  test('is as if it had never been', () => {
    const { world, writes, decision } = settle(decide, { ...offer.agreed, source });
    const last = ['patch volume', 'patch source', 'patch volume'];
    expect([writes, summaryOf(decision)]).toEqual([last, 'done NoTransfer']);
    expect(world.volume?.metadata.annotations).toEqual({});
    expect(world.volume?.spec).toEqual(offer.plain().spec);
    expect(world.source?.metadata).toMatchObject({ annotations: {}, finalizers: [protection] });
  });

  test('can be made again at once', () => {
    const end = settle(decide, { ...offer.agreed, source }).world;
    const again = { ...(end.source as Claim), metadata: { ...end.source?.metadata, ...{ annotations: offer.wish } } };
    const { writes } = settle(decide, { ...end, source: again as Claim });
    expect(writes).toEqual(['patch source', 'patch volume', 'patch source', 'patch source status']);
  });

  test('to a name that is none counts as taken back, and the claim says what is wrong', () => {
    const malformed = offer.pending({ annotations: { transferRequest: 'copy', [offer.status]: 'pending' } });
    const { writes, decision } = settle(decide, { ...offer.withPending, source: malformed });
    expect([writes, summaryOf(decision)]).toEqual([
      ['patch volume', 'patch source', 'patch volume', 'patch source status'],
      'reject Invalid',
    ]);
  });
});

describe('an offer that is taken back when its owner has deleted the claim already', () => {
  const world = { ...offer.agreed, source: offer.letGo(taken) };

  test('leaves both where they are, and says to both sides what that means', () => {
    const { world: end, writes, decision } = settle(decide, world);
    const told = ['patch target', 'patch target status', 'patch source status'];
    expect([writes, summaryOf(decision)]).toEqual([
      ['patch volume', 'patch volume', ...told],
      'reject TransferWithdrawn',
    ]);
    expect(end.volume?.spec).toEqual(offer.recorded().spec);
    expect(end.volume?.metadata.labels).toEqual({ 'longshore.dev/kept': 'by-deleted-claim' });
    expect(end.source?.metadata.finalizers).toEqual([offer.fence]);
    expect(transferredOf(end.source)).toMatchObject({
      reason: 'TransferWithdrawn',
      message: expect.stringContaining('offer it to a claim with another name in this namespace'),
    });
    expect(transferredOf(end.target)).toMatchObject({ reason: 'NotOffered' });
  });

  test('means nobody any more: whoever it is offered to next is in the namespace that there is then', () => {
    const end = settle(decide, world).world;
    const meant = 'longshore.dev/transfer-destination-namespace';
    expect(end.volume?.metadata.annotations).not.toHaveProperty([meant]);
    const anew = namespace('stage', { uid: 'uid-anew', creationTimestamp: '2026-03-01T10:00:00Z' });
    const again = { ...end, source: offer.letGo(), target: undefined, targetNamespace: anew, answered: [] };
    const { volume } = settle(decide, again).world;
    expect(volume?.metadata.annotations).toMatchObject({ ...offer.record, [meant]: 'uid-anew' });
  });

  test('goes to a claim of its own namespace that its owner offers it to then', () => {
    const end = settle(decide, world).world;
    const own = offer.letGo({ annotations: { transferRequest: 'prod/back', [offer.status]: 'pending' } });
    const { volume } = settle(decide, { ...end, source: own, answered: [] }).world;
    expect(volume?.metadata.annotations).toMatchObject({ 'pv.kubernetes.io/transfer-destination': 'prod/back' });
  });
});

describe('an offer that is taken back when its owner has deleted the claim with its namespace', () => {
  const withdrawn = { 'pv.kubernetes.io/transfer-status': 'withdrawn' };
  const world = { ...offer.agreed, ...offer.going, source: offer.letGo(taken) };

  testTable(decide, [
    {
      situation: 'keeps the volume on Retain, for nobody',
      world,
      write: 'patch volume',
      exactly: {
        metadata: {
          annotations: {
            ...withdrawn,
            'longshore.dev/transfer-offered-by': 'prod/data/uid-source',
            'longshore.dev/original-reclaim-policy': 'Delete',
            ...unfencing,
            'longshore.dev/transfer-destination-namespace': null,
            'longshore.dev/transfer-released': null,
            'longshore.dev/transfer-stopped': null,
          },
          labels: { 'longshore.dev/kept': 'without-claim' },
        },
        spec: { persistentVolumeReclaimPolicy: 'Retain' },
      },
      next: 'patch source',
    },
  ]);

  test('lets the claim go, and ends', () => {
    const { world: end, writes, decision } = settle(decide, world);
    const last = ['patch volume', 'patch source', 'patch volume'];
    expect([writes, summaryOf(decision)]).toEqual([last, 'done SourceGone']);
    expect(end.volume?.spec.persistentVolumeReclaimPolicy).toBe('Retain');
    expect(end.source?.metadata.finalizers).toEqual([]);
  });

  test('and then offered after all gives the volume the policy back that it had before both', () => {
    const end = settle(decide, world).world;
    const again = settle(decide, { ...end, source: offer.letGo(), answered: [] }).world;
    expect(again.volume?.metadata.annotations).toMatchObject(offer.record);
  });

  test('leaves nothing to a later claim that has the volume: its policy is the one that it has then', () => {
    const { volume } = settle(decide, world).world;
    const source = offer.offered({ uid: 'uid-later' });
    const held = { ...volume, spec: { ...volume?.spec, claimRef: referenceTo(source) } } as Volume;
    const again = settle(decide, { ...offer.asked, source, volume: held }).world;
    expect(again.volume?.metadata.annotations).toMatchObject({
      'longshore.dev/transfer-offered-by': 'prod/data/uid-later',
      'longshore.dev/original-reclaim-policy': 'Retain',
    });
  });
});
