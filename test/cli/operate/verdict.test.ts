import { expect, test } from '@jest/globals';
import { barText, verdictsOn } from '../../../cli/operate/verdict.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';

const { transferRequest, claim, bucket, bucketContent } = resources;

function object(status: object | undefined, metadata: object = {}) {
  return { apiVersion: 'v1', kind: 'Any', metadata: { name: 'move', namespace: 'team', ...metadata }, status };
}

function condition(type: string, status: string, reason: string, message = 'said') {
  return { type, status, reason, message, lastTransitionTime: '2026-11-19T03:00:00Z' };
}

test('a transfer that waits says at which stage, with its own sentence, and whose turn it is', () => {
  const conditions = [
    condition('Matched', 'True', 'Matched'),
    condition('SourceReady', 'True', 'SourceReady'),
    condition('Fenced', 'False', 'SourceInUse', 'claim a/b is used by pods: db'),
    condition('Complete', 'False', 'SourceInUse', 'claim a/b is used by pods: db'),
    condition('Ready', 'False', 'SourceInUse'),
  ];
  const [verdict] = verdictsOn(transferRequest, object({ conditions }));
  expect(verdict).toMatchObject({ state: 'waiting', reason: 'SourceInUse', turn: 'other side' });
  expect(verdict?.message).toBe('claim a/b is used by pods: db');
  expect(verdict?.todo).toContain('Delete the pods');
  expect(barText(verdict?.stages ?? [])).toBe('approved ✓  source ready ✓  fenced …  moved ·  complete ·');
});

test('a complete transfer is done', () => {
  const types = ['Matched', 'SourceReady', 'Fenced', 'Moved', 'Complete'];
  const [verdict] = verdictsOn(
    transferRequest,
    object({ conditions: types.map((type) => condition(type, 'True', type)) }),
  );
  expect(verdict).toMatchObject({ state: 'done', turn: 'nobody' });
});

test('what all attempts failed at is failed', () => {
  const conditions = [condition('Complete', 'False', 'Failed', 'no')];
  expect(verdictsOn(transferRequest, object({ conditions }))).toMatchObject([
    { state: 'failed', turn: 'administrator' },
  ]);
});

test.each([
  [undefined, {}, 'new'],
  [{}, {}, 'new'],
  [{ conditions: 'none' }, {}, 'new'],
  [{ conditions: [null, 7] }, {}, 'new'],
  [undefined, { deletionTimestamp: '2026-11-19T03:00:00Z' }, 'deleting'],
])('without a report it is Longshore that is waited for: %j %j', (status, metadata, state) => {
  expect(verdictsOn(bucket, object(status, metadata))).toMatchObject([{ state, turn: 'Longshore' }]);
});

test('a Bucket with its bucket but not its Secret is not finished', () => {
  const conditions = [condition('Bound', 'True', 'Bound'), condition('SecretReady', 'False', 'SecretExists')];
  expect(verdictsOn(bucket, object({ conditions }))).toMatchObject([
    { state: 'waiting', reason: 'SecretExists', turn: 'owner' },
  ]);
  const [early] = verdictsOn(bucket, object({ conditions: [condition('Bound', 'True', 'Bound')] }));
  expect(early).toMatchObject({ state: 'waiting', turn: 'Longshore' });
});

test('a content is done when it is provisioned', () => {
  expect(
    verdictsOn(bucketContent, object({ conditions: [condition('Provisioned', 'True', 'Provisioned')] })),
  ).toMatchObject([{ state: 'done' }]);
});

test('claims that have nothing to do with Longshore have no verdict, and others one for each sort of work', () => {
  expect(verdictsOn(claim, object({ conditions: [condition('Resizing', 'True', 'x')] }))).toEqual([]);
  const both = [condition('Transferred', 'False', 'NotOffered'), condition('DataPopulated', 'Unknown', 'SourceGone')];
  expect(verdictsOn(claim, object({ conditions: both })).map(({ reason, turn }) => [reason, turn])).toEqual([
    ['NotOffered', 'other side'],
    ['SourceGone', 'owner'],
  ]);
});

const awaitingDeletion = { conditions: [condition('Transferred', 'False', 'AwaitingDeletion')] };
const marks = {
  offer: { transferRequest: 'stage/data' },
  pending: { 'pvc.kubernetes.io/transfer-status': 'pending' },
  fence: ['longshore.dev/transfer-offer'],
};

test('the owner of an offered claim is told to delete it when its volume outlives it', () => {
  const safe = { annotations: { ...marks.offer, ...marks.pending }, finalizers: marks.fence };
  const [verdict] = verdictsOn(claim, object(awaitingDeletion, safe));
  expect(verdict).toMatchObject({ turn: 'owner', todo: expect.stringMatching(/^Delete the claim/) });
});

test.each([
  ['the annotation has been copied along', { annotations: { ...marks.offer, ...marks.pending } }],
  ['the volume is not safe yet', { annotations: marks.offer, finalizers: marks.fence }],
  ['nothing has been done for it', { annotations: marks.offer }],
])('a claim of which a stale condition says so is not to be deleted when %s', (_, metadata) => {
  const [verdict] = verdictsOn(claim, object(awaitingDeletion, metadata));
  expect(verdict).toMatchObject({ turn: 'Longshore', todo: expect.stringContaining('keep the claim') });
  expect(verdict?.todo).not.toMatch(/^Delete/);
});

test('the accepting claim cannot tell whether the other one may be deleted, and says what shows it', () => {
  const [verdict] = verdictsOn(claim, object(awaitingDeletion, { annotations: { transferAccept: 'prod/data' } }));
  expect(verdict).toMatchObject({ turn: 'other side' });
  expect(verdict?.todo).toContain(
    'while it has transfer-status: pending and the finalizer longshore.dev/transfer-offer',
  );
});
