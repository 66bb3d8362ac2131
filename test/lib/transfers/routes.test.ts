import { describe, expect, test } from '@jest/globals';
import type {
  Claim,
  ClusterObject,
  ObjectMeta,
  TransferApproval,
  TransferRequest,
  Volume,
} from '../../../lib/cluster/objects.ts';
import { displayName, resourceOfKind, resources } from '../../../lib/cluster/resources.ts';
import type { Change } from '../../../lib/reconcile/routing.ts';
import { transfers } from '../../../lib/transfers/routes.ts';
import {
  deletionTimestamp,
  fence,
  fenced,
  ofTarget,
  ours,
  recorded,
  standing,
  target,
  undoing,
} from '../../functions/stages.ts';
import { approval, claim, pod, protection, request, volume } from '../../support/builders.ts';

type Type = Change['type'];
const toRequest = 'match-transfer stage/move';
const toVolume = 'rebind-volume volume-1';

/** What follows from the last of some changes, which the router notes in their order. */
function routes(...changes: [Type, ClusterObject][]): string[] {
  const router = transfers.createRouter();
  const found = changes.map(([type, object]) => {
    const resource = resourceOfKind(object.apiVersion, object.kind) ?? resources.pod;
    const change = { type, resource, object };
    router.note(change);
    return router.routesOf(change).map((route) => `${route.function} ${displayName(route.key)}`);
  });
  return found.at(-1) ?? [];
}

const observed = (generation: number): TransferRequest => request({ status: { observedGeneration: generation } });
const complete: TransferRequest = request({ status: { complete: true, observedGeneration: 1 } });
const withdrawn: TransferRequest = request({ metadata: { deletionTimestamp } });
const bound = standing();
const asked: [Type, ClusterObject] = ['added', request()];
const released = fenced({ deletionTimestamp, finalizers: [ours] });

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
    expect(routes(...changes)).toEqual(expected);
  });
});

describe('an approval', () => {
  const told: TransferApproval = approval({ status: { complete: true } });
  test.each<[string, string[], ...[Type, ClusterObject][]]>([
    ['that is new leads to its request', [toRequest], ['added', approval()]],
    ['that is listed leads to its request', [toRequest], ['listed', approval()]],
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
    expect(routes(...changes)).toEqual(expected);
  });
});

describe('a claim', () => {
  const gone = claim({ metadata: { annotations: fence } });
  const lastWords = (metadata: Partial<ObjectMeta>): Claim => claim({ metadata });
  test.each<[string, string[], ...[Type, ClusterObject][]]>([
    ['that nobody asked for brings no message', [], ['added', claim()]],
    ['that a request waits for leads to the request', [toRequest], asked, ['updated', claim()]],
    [
      'that has the name of the target leads to the request',
      [toRequest],
      asked,
      ['added', claim({ metadata: { namespace: 'stage', name: 'copy' } })],
    ],
    ['of a request that is complete brings none', [], asked, ['updated', complete], ['updated', claim()]],
    ['of a request that is gone brings none', [], asked, ['deleted', request()], ['updated', claim()]],
    ['that we fenced ourselves brings none', [], asked, ['updated', fenced()]],
    [
      'whose fence is seen after its request has gone leads to its volume',
      [toVolume],
      asked,
      ['deleted', request()],
      ['updated', fenced()],
    ],
    ['that is fenced when it is listed leads to its volume', [toVolume], ['listed', fenced()]],
    ['that is deleted but held brings none', [], asked, ['updated', fenced({ deletionTimestamp })]],
    ['that only we hold any more leads to its volume', [toVolume], asked, ['updated', released]],
    ['that went because it was moved does not wake the request that moved it', [], asked, ['deleted', gone]],
    [
      'that went in another way wakes the request',
      [toRequest],
      asked,
      ['deleted', lastWords({ finalizers: [protection] })],
    ],
    [
      'that was removed by force before its volume had left it leads to the volume',
      [toVolume],
      asked,
      ['updated', recorded()],
      ['deleted', gone],
    ],
    [
      'that went after its volume had left it brings none',
      [],
      asked,
      ['updated', recorded(ofTarget)],
      ['deleted', gone],
    ],
    [
      'that has the name of the target leads to the volume once the transfer has begun',
      [toVolume],
      asked,
      ['updated', fenced()],
      ['deleted', claim({ metadata: { namespace: 'stage', name: 'copy' } })],
    ],
    ['that is the new target brings none before it is bound', [], asked, ['added', target()]],
    ['that is the target leads to the volume when it is bound', [toVolume], ['added', target()], ['updated', bound]],
    ['that is the target and goes leads to its volume', [toVolume], ['deleted', target()]],
    [
      'that is the target and waits when it is listed leads to the request and to the volume',
      [toRequest, toVolume],
      ['listed', target()],
    ],
    ['that was the target once brings none when it is listed', [], ['listed', bound]],
    ['that is the target brings one message only', [], ['added', target()], ['updated', bound], ['updated', bound]],
  ])('%s', (_, expected, ...changes) => {
    expect(routes(...changes)).toEqual(expected);
  });
});

test('all requests that wait for a claim are woken, each once', () => {
  const other = request({ metadata: { name: 'other', uid: 'uid-other' } });
  const woken = routes(['added', request()], ['added', other], ['updated', request()], ['updated', claim()]);
  expect(woken).toEqual([toRequest, 'match-transfer stage/other']);
});

test('a request that another moved away from in vain is woken when the claim goes', () => {
  const other = request({ metadata: { name: 'other', uid: 'uid-other' } });
  const gone = claim({ metadata: { annotations: fence } });
  expect(routes(['added', request()], ['added', other], ['deleted', gone])).toEqual(['match-transfer stage/other']);
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
  expect(changes.map((change) => routes(change))).toEqual([[toVolume], [toVolume], [], [], [], []]);
});

test('to ask for the routes of a change changes nothing', () => {
  const router = transfers.createRouter();
  const [first, second]: Change[] = [target(), bound].map((object) => {
    return { type: 'updated', resource: resources.claim, object };
  });
  if (!first || !second) throw new Error('no changes');
  router.note(first);
  router.note(second);
  expect(router.routesOf(second)).toHaveLength(1);
  expect(router.routesOf(second)).toHaveLength(1);
});

test('what is not watched concerns nobody', () => {
  expect(routes(['added', pod()])).toEqual([]);
});
