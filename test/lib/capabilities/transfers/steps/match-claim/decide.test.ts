import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-claim/decide.ts';
import { protection } from '../../../../../support/builders.ts';
import { settle, summaryOf, testTable, writeOf } from '../../../table.ts';
import * as offer from '../../offer-stages.ts';

const { now } = offer;

describe('nothing is done', () => {
  testTable(decide, [
    { situation: 'when the claim is gone', world: { pods: [], readAt: now }, answer: 'done NoTransfer' },
    {
      situation: 'when the claim is not offered and was not',
      world: { ...offer.asked, source: offer.offered({ annotations: {} }) },
      answer: 'done NoTransfer',
    },
    {
      situation: 'when the offer is empty, as a tool writes it that cannot leave it out',
      world: { ...offer.asked, source: offer.offered({ annotations: { transferRequest: '' } }) },
      answer: 'done NoTransfer',
    },
    {
      situation: 'when the claim that accepts has its volume and the transfer is complete',
      world: { target: offer.complete(), pods: [], readAt: now },
      answer: 'done Complete',
    },
  ]);
});

describe('each step until the volume is safe and both claims say so, in its order', () => {
  testTable(decide, [
    {
      situation: 'a claim that is offered is fenced, keeping the finalizers that it has',
      world: offer.asked,
      write: 'patch source',
      exactly: { metadata: { finalizers: [protection, offer.fence] } },
      next: 'patch volume',
    },
    {
      situation: 'behind the fence the volume is made safe and the offer recorded on it, in one patch',
      world: offer.withSureFence,
      write: 'patch volume',
      exactly: { metadata: { annotations: offer.record }, spec: { persistentVolumeReclaimPolicy: 'Retain' } },
      next: 'patch source',
    },
    {
      situation: 'a fenced claim that its owner deletes before the volume is safe is kept until it is',
      world: { ...offer.withSureFence, source: offer.fenced({ deletionTimestamp: offer.deletionTimestamp }) },
      write: 'patch volume',
      exactly: { metadata: { annotations: offer.record }, spec: { persistentVolumeReclaimPolicy: 'Retain' } },
      next: 'wait SourceHeld',
    },
    {
      situation:
        'a fence that is there already is confirmed first: the offer may have been taken back since it was read',
      world: offer.withFence,
      write: 'patch source',
      exactly: {},
      next: 'patch volume',
    },
    {
      situation: 'once the volume is safe the source says so',
      world: offer.secured,
      write: 'patch source',
      exactly: { metadata: { annotations: { [offer.status]: 'pending' } } },
      next: 'wait AwaitingAcceptance',
    },
    {
      situation: 'a claim that accepts is told, and which volume it waits for',
      world: offer.accepted,
      write: 'patch target',
      exactly: { metadata: { annotations: { [offer.status]: 'pending', [offer.volumeMark]: 'volume-1' } } },
      next: 'patch source status',
    },
    {
      situation: 'then it is up to the owner of the source, who is told so',
      world: offer.agreed,
      says: 'wait AwaitingDeletion',
      saying: 'goes to claim stage/copy when claim prod/data has been deleted by its owner',
      on: ['source'],
    },
    {
      situation: 'a fence that somebody took off is raised again',
      world: { ...offer.agreed, source: offer.pending({ finalizers: [protection] }) },
      write: 'patch source',
      exactly: { metadata: { finalizers: [protection, offer.fence] } },
      next: 'patch source status',
    },
  ]);
});

describe('each step after the owner has deleted the source, in its order', () => {
  testTable(decide, [
    {
      situation: 'a source that was deleted a moment ago is waited for without a word',
      world: { ...offer.agreed, source: offer.letGo({ finalizers: [protection, offer.fence] }) },
      answer: 'wait SourceHeld',
    },
    {
      situation: 'once nothing else holds it, the source is read once more before the last word counts',
      world: offer.deleted,
      write: 'patch source',
      exactly: {},
      next: 'patch target',
    },
    {
      situation: 'with both confirmed the volume goes to the target, uid included, and the release is recorded with it',
      world: { ...offer.deleted, answered: ['source', 'target'] },
      write: 'patch volume',
      exactly: {
        metadata: {
          annotations: {
            'pv.kubernetes.io/bound-by-controller': null,
            'longshore.dev/transfer-released': now.toISOString(),
            'longshore.dev/transfer-stopped': null,
          },
        },
        spec: { claimRef: { ...offer.ofTarget.claimRef, resourceVersion: null } },
      },
      next: 'patch source',
    },
    {
      situation: "when the volume is the target's the source is let go",
      world: offer.moved,
      write: 'patch source',
      exactly: { metadata: { annotations: { [offer.status]: null, [offer.volumeMark]: null }, finalizers: [] } },
      next: 'patch target',
    },
    {
      situation: 'the target is told its volume, and where it came from',
      world: offer.unfenced,
      write: 'patch target',
      exactly: {
        metadata: { annotations: { 'longshore.dev/transferred-from': 'prod/data' } },
        spec: { volumeName: 'volume-1' },
      },
      next: 'wait TargetNotBound',
    },
    { situation: 'a target that is not bound yet is waited for', world: offer.received, answer: 'wait TargetNotBound' },
    {
      situation: 'a volume that is not bound yet is waited for, although the target says that it is',
      world: { ...offer.bound, volume: { ...offer.recorded(offer.released, offer.ofTarget), status: {} } },
      answer: 'wait TargetNotBound',
    },
    {
      situation: 'when both are bound the target says that it is complete',
      world: offer.bound,
      write: 'patch target',
      exactly: { metadata: { annotations: { [offer.status]: 'complete', [offer.volumeMark]: null } } },
      next: 'patch volume',
    },
    {
      situation: 'last of all the volume gets its own policy back, and keeps the note of where it came from',
      world: offer.marked,
      write: 'patch volume',
      exactly: {
        metadata: { annotations: { 'pv.kubernetes.io/transfer-status': 'complete', ...offer.noOwnMarks } },
        spec: { persistentVolumeReclaimPolicy: 'Delete' },
      },
      next: 'done Complete',
    },
  ]);
});

test('the whole way takes five writes until both are told, five to move, and two after the target is bound', () => {
  const begun = settle(decide, { ...offer.asked, target: offer.accepting() });
  const told = ['patch target', 'patch source status'];
  expect(begun.writes).toEqual(['patch source', 'patch volume', 'patch source', ...told]);
  expect(summaryOf(begun.decision)).toBe('wait AwaitingDeletion');
  const given = settle(decide, offer.deleted);
  const confirmed = ['patch source', 'patch target'];
  expect(given.writes).toEqual([...confirmed, 'patch volume', 'patch source', 'patch target']);
  expect(summaryOf(given.decision)).toBe('wait TargetNotBound');
  const ended = settle(decide, offer.bound);
  expect([ended.writes, summaryOf(ended.decision)]).toEqual([['patch target', 'patch volume'], 'done Complete']);
});

test('the policy that comes back is the one that was recorded', () => {
  const volume = offer.recorded(
    { ...offer.released, 'longshore.dev/original-reclaim-policy': 'Retain' },
    offer.ofTarget,
  );
  expect(writeOf(decide({ ...offer.marked, volume }, now))).toMatchObject({
    body: { spec: { persistentVolumeReclaimPolicy: 'Retain' } },
  });
});
