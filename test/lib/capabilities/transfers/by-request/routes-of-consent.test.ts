import { describe, expect, test } from '@jest/globals';
import type { ClusterObject, TransferApproval, TransferStatus } from '../../../../../lib/kubernetes/objects.ts';
import { approval, grant, request } from '../../../../support/builders.ts';
import { deletionTimestamp, fenced, recorded } from '../stages.ts';
import { routesAfter, type Type, toApproval, toRequest, toVolume, unfinishedAfter } from './routes-after.ts';

type Seen = [Type, ClusterObject];
const asked: Seen = ['added', request()];
const minuteAgo: TransferStatus = {
  complete: true,
  observedGeneration: 1,
  conditions: [
    { type: 'Complete', status: 'True', reason: '', message: '', lastTransitionTime: '2026-03-01T11:59:00Z' },
  ],
};
const kept = (ttlSecondsAfterFinished: number): TransferApproval =>
  approval({ spec: { ttlSecondsAfterFinished }, status: minuteAgo });
const stale = approval({ metadata: { name: 'stale', uid: 'uid-stale' } });
const toStale = 'match-approval prod/stale';

describe('an approval that waits for a request', () => {
  test.each<[string, string[], ...Seen[]]>([
    ['is told when the request comes and asks for another one', [toRequest, toStale], ['added', stale], asked],
    ['is not told by its own key when the request asks for it', [toRequest], ['added', approval()], asked],
    ['is told when the request goes', [toApproval], ['added', approval()], asked, ['deleted', request()]],
    [
      'is told together with the volume that the request has begun to move',
      [toVolume, toApproval],
      ['added', approval()],
      asked,
      ['updated', recorded()],
      ['deleted', request()],
    ],
    [
      'is told when the request is being deleted, and waits for another',
      [toApproval],
      ['added', approval()],
      asked,
      ['updated', request({ metadata: { deletionTimestamp } })],
    ],
    ['is not told of a list: it is listed itself', [toRequest], ['added', stale], ['listed', request()]],
    [
      'is not told any more when it is complete',
      [],
      ['updated', approval({ status: minuteAgo })],
      ['deleted', request()],
    ],
    ['is not told any more when it is gone', [toRequest], ['added', stale], ['deleted', stale], asked],
    [
      'is not told by a request of that name in another namespace',
      ['match-transfer test/move'],
      ['added', stale],
      ['added', request({ metadata: { namespace: 'test' } })],
    ],
    ['is told when it is listed and nobody asks for it', [toApproval], ['listed', approval()]],
  ])('%s', (_, expected, ...changes) => {
    expect(routesAfter(...changes)).toEqual(expected);
  });
});

describe('what is complete and has a time to live', () => {
  const ended = (ttlSecondsAfterFinished: number) => request({ spec: { ttlSecondsAfterFinished }, status: minuteAgo });
  test.each<[string, string[], ...Seen[]]>([
    ['is taken up when it is listed after that: an approval', [toApproval], ['listed', kept(60)]],
    ['is taken up when it is listed after that: a request', [toRequest], ['listed', ended(60)]],
    ['is not before: an approval', [], ['listed', kept(61)]],
    ['is not before: a request', [], ['listed', ended(61)]],
    ['is not by the change that makes it complete: an approval', [], ['updated', kept(0)]],
    ['is not by the change that makes it complete: a request', [], ['updated', ended(0)]],
    ['is not while it is being deleted', [], ['listed', request({ ...ended(0), metadata: { deletionTimestamp } })]],
  ])('%s', (_, expected, ...changes) => {
    expect(routesAfter(...changes)).toEqual(expected);
  });
});

describe('what is being deleted has nothing left to do itself, whoever is told of it:', () => {
  const going = { metadata: { deletionTimestamp } };
  test.each<[string, string[], ...Seen[]]>([
    [
      'a request that has begun to move a volume, and that an approval waits for',
      [toVolume, toApproval],
      ['listed', approval()],
      ['listed', recorded()],
      ['listed', request(going)],
    ],
    ['an approval that a request asks for', [toRequest], asked, ['listed', approval(going)]],
    ['an approval whose volume moves', [toVolume], asked, ['listed', recorded()], ['listed', approval(going)]],
  ])('%s', (_, expected, ...changes) => {
    expect(routesAfter(...changes)).toEqual(expected);
    expect(unfinishedAfter(...changes)).toEqual([]);
  });

  test('they are unfinished themselves', () => {
    expect(unfinishedAfter(['listed', recorded()])).toEqual([toVolume]);
    expect(unfinishedAfter(['listed', approval()])).toEqual([toApproval]);
    expect(unfinishedAfter(['listed', request()])).toEqual([toRequest]);
  });
});

describe('a grant', () => {
  const ofTest = grant({ spec: { from: [{ group: '', kind: '', namespace: 'test' }] } });
  const complete = request({ status: { complete: true, observedGeneration: 1 } });
  test.each<[string, string[], ...Seen[]]>([
    ['that nobody waits for brings no message', [], ['added', grant()]],
    ['leads to the requests of the namespace that it lets in', [toRequest], asked, ['added', grant()]],
    ['that is changed leads to them', [toRequest], asked, ['updated', grant()]],
    ['that is listed leads to them', [toRequest], asked, ['listed', grant()]],
    ['that is gone leads to them', [toRequest], asked, ['deleted', grant()]],
    [
      'that is gone leads to the volume where that has begun',
      [toVolume],
      asked,
      ['updated', fenced()],
      ['deleted', grant()],
    ],
    [
      'is not led astray by a fence that somebody forged on a claim of theirs',
      [toRequest],
      asked,
      ['updated', fenced({ namespace: 'test', name: 'forged', uid: 'uid-forged' })],
      ['added', grant()],
    ],
    ['leads to none of another namespace', [], asked, ['added', ofTest]],
    [
      'of a namespace that nobody wants anything of leads to none',
      [],
      asked,
      ['added', grant({ metadata: { namespace: 'test' } })],
    ],
    ['leads to none that is complete', [], asked, ['updated', complete], ['deleted', grant()]],
    ['leads to none that is gone', [], asked, ['deleted', request()], ['deleted', grant()]],
    ['that lets nobody in brings none', [], asked, ['added', { ...grant(), spec: {} } as ClusterObject]],
  ])('%s', (_, expected, ...changes) => {
    expect(routesAfter(...changes)).toEqual(expected);
  });

  test('leads to each request once', () => {
    const line = { group: '', kind: '', namespace: 'stage' };
    const other = request({ metadata: { name: 'other', uid: 'uid-other' } });
    const twice = grant({ spec: { from: [line, line] } });
    expect(routesAfter(asked, ['added', other], ['added', twice])).toEqual([toRequest, 'match-transfer stage/other']);
  });
});

describe('what its owner confirms for the namespace that there is now', () => {
  const confirmed = { annotations: { 'longshore.dev/namespace-uids': 'uid-late' } };
  const told = { observedGeneration: 1, complete: false };
  test.each<[string, string[], ...Seen[]]>([
    ['an approval leads to its request', [toRequest], asked, ['updated', approval({ metadata: confirmed })]],
    [
      'an approval leads to the volume that its request has begun to move',
      [toVolume],
      asked,
      ['updated', recorded()],
      ['updated', approval({ metadata: confirmed })],
    ],
    [
      'an approval leads nowhere when it says the same as before',
      [],
      asked,
      ['added', approval({ metadata: confirmed })],
      ['updated', approval({ metadata: confirmed, status: told })],
    ],
    ['a request leads to itself', [toRequest], asked, ['updated', request({ metadata: confirmed, status: told })]],
    [
      'a request leads nowhere when it says the same as before',
      [],
      ['added', request({ metadata: confirmed })],
      ['updated', request({ metadata: confirmed, status: told })],
    ],
  ])('%s', (_, expected, ...changes) => {
    expect(routesAfter(...changes)).toEqual(expected);
  });
});
