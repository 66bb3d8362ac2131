import { describe, expect, test } from '@jest/globals';
import { transfersByRequest } from '../../../../../lib/capabilities/transfers/by-request/capability.ts';
import type {
  ClusterObject,
  TransferApproval,
  TransferRequest,
  Volume,
} from '../../../../../lib/kubernetes/objects.ts';
import { resources } from '../../../../../lib/kubernetes/resources.ts';
import type { Change } from '../../../../../lib/reconcile/routing.ts';
import { approval, claim, pod, request, volume } from '../../../../support/builders.ts';
import { deletionTimestamp, fence, fenced, now, ofTarget, recorded, standing, target, undoing } from '../stages.ts';
import { routesAfter, type Type, toApproval, toRequest, toVolume } from './routes-after.ts';

const observed = (generation: number): TransferRequest => request({ status: { observedGeneration: generation } });
const complete: TransferRequest = request({ status: { complete: true, observedGeneration: 1 } });
const withdrawn: TransferRequest = request({ metadata: { deletionTimestamp } });
const bound = standing();

describe('a request', () => {
  test.each<[string, string[], ...[Type, ClusterObject][]]>([
    ['that is new brings a message', [toRequest], ['added', request()]],
    [
      'that we have not looked at brings a message',
      [toRequest],
      ['updated', request({ metadata: { generation: 2 }, status: { observedGeneration: 1 } })],
    ],
    ['whose status we wrote ourselves brings none', [], ['updated', observed(1)]],
    [
      'that is listed and not complete brings a message, whatever its status says',
      [toRequest],
      ['listed', observed(1)],
    ],
    ['that is complete brings none', [], ['listed', complete]],
    ['that is withdrawn with nothing begun brings none', [], ['updated', withdrawn]],
    [
      'that is withdrawn leads to the volume whose claim it has fenced',
      [toVolume],
      ['listed', fenced()],
      ['updated', withdrawn],
    ],
    ['that is gone leads there too', [toVolume], ['updated', fenced()], ['deleted', request()]],
    [
      'that is gone after its target was made leads there still',
      [toVolume],
      ['updated', fenced()],
      ['added', target()],
      ['deleted', request()],
    ],
    [
      'that is gone after its fence brings none',
      [],
      ['updated', fenced()],
      ['updated', claim()],
      ['deleted', request()],
    ],
    [
      'that is gone after its record leads to the volume still, fence or not',
      [toVolume],
      ['updated', fenced()],
      ['updated', recorded(ofTarget)],
      ['deleted', claim({ metadata: { annotations: fence } })],
      ['deleted', request()],
    ],
    [
      'that is gone after its record was taken off brings none',
      [],
      ['updated', recorded()],
      ['updated', volume({ spec: ofTarget })],
      ['deleted', request()],
    ],
    [
      'that is gone with its volume brings none',
      [],
      ['updated', recorded()],
      ['deleted', recorded()],
      ['deleted', request()],
    ],
  ])('%s', (_, expected, ...changes) => {
    expect(routesAfter(...changes)).toEqual(expected);
  });
});

describe('an approval', () => {
  const told: TransferApproval = approval({ status: { complete: true } });
  test.each<[string, string[], ...[Type, ClusterObject][]]>([
    ['that is new leads to the request that asks for it', [toRequest], ['added', request()], ['added', approval()]],
    ['that is listed leads there too', [toRequest], ['listed', request()], ['listed', approval()]],
    ['that no request asks for is told so by its own key', [toApproval], ['added', approval()]],
    [
      'that a request names in vain is told so by its own key',
      [toApproval],
      ['added', request({ spec: { approvalName: 'other' } })],
      ['added', approval()],
    ],
    ['whose status we wrote ourselves brings no message', [], ['updated', approval()]],
    ['that is complete brings none', [], ['listed', told]],
    [
      'that is given again after the end leads to its request',
      [toRequest],
      ['listed', complete],
      ['added', approval()],
    ],
    ['that is gone with nothing begun is told to the request', [toRequest], ['deleted', approval()]],
    [
      'that is gone leads to the volume whose claim is fenced',
      [toVolume],
      ['updated', fenced()],
      ['deleted', approval()],
    ],
    [
      'that is being deleted leads there too',
      [toVolume],
      ['updated', fenced()],
      ['updated', approval({ metadata: { deletionTimestamp } })],
    ],
  ])('%s', (_, expected, ...changes) => {
    expect(routesAfter(...changes)).toEqual(expected);
  });
});

test('a volume is taken up when it is listed with a record or the mark of a roll-back, and at no other time', () => {
  const changes: [Type, Volume][] = [
    ['listed', recorded()],
    ['listed', undoing()],
    ['updated', recorded()],
    ['updated', undoing()],
    ['listed', volume()],
    ['deleted', recorded()],
  ];
  expect(changes.map((change) => routesAfter(change))).toEqual([[toVolume], [toVolume], [], [], [], []]);
});

test('to ask for the routes of a change changes nothing', () => {
  const router = transfersByRequest.createRouter();
  const [first, second]: Change[] = [target(), bound].map((object) => {
    return { type: 'updated', resource: resources.claim, object, seenAt: now };
  });
  if (!first || !second) throw new Error('no changes');
  router.note(first);
  router.note(second);
  expect(router.routesOf(second)).toHaveLength(1);
  expect(router.routesOf(second)).toHaveLength(1);
});

test('what is not watched concerns nobody', () => {
  expect(routesAfter(['added', pod()])).toEqual([]);
});

test('the end of a roll-back on one volume does not divert what a list finds of another, nor is it found by lists', () => {
  const router = transfersByRequest.createRouter();
  const other = recorded();
  const rolledBack = volume({ metadata: { name: 'volume-2', uid: 'uid-volume-2' } });
  const before = undoing();
  const marked = { ...before, metadata: { ...rolledBack.metadata, annotations: before.metadata.annotations ?? {} } };
  router.note({ type: 'updated', resource: resources.volume, object: marked, seenAt: now });
  // A list takes note of everything before anything of it is routed.
  const listed = [other, rolledBack].map(
    (object): Change => ({ type: 'listed', resource: resources.volume, object, seenAt: now }),
  );
  for (const change of listed) router.note(change);
  const found = listed.flatMap((change) => router.routesOf(change)).map(({ function: name, key }) => [name, key.name]);
  expect(found).toEqual([['rebind-volume', other.metadata.name]]);
});
