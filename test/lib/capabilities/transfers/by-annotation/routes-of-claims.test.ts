import { describe, expect, test } from '@jest/globals';
import type { Claim } from '../../../../../lib/kubernetes/objects.ts';
import { claim, pod, protection, request } from '../../../../support/builders.ts';
import * as offer from '../offer-stages.ts';
import { fenced as fencedByRequest, ours } from '../stages.ts';
import { routesAfter, routesOfEach, type Seen, toSource, toTarget, toVolume } from './routes-after.ts';

const { deletionTimestamp } = offer;
const plain = claim();
const unbound: Claim = { ...offer.offered(), status: { phase: 'Pending' } };
const unoffered = offer.offered({ annotations: {} });
const recorded: Seen = ['updated', offer.recorded()];
const wished = (transferRequest: string) => ({ annotations: { transferRequest } });

describe('a claim without marks and wishes', () => {
  test.each<Seen['0']>(['listed', 'added', 'updated', 'deleted'])('brings no message when it is %s', (type) => {
    expect(routesAfter([type, plain])).toEqual([]);
  });
});

describe('a claim that is offered', () => {
  test.each<[string, string[], ...Seen[]]>([
    ['brings a message when it is created so', [toSource], ['added', offer.offered()]],
    ['brings one when its owner offers it', [toSource], ['listed', plain], ['updated', offer.offered()]],
    ['brings one when it is listed', [toSource], ['listed', offer.offered()]],
    [
      'brings none when nothing changes that matters',
      [],
      ['added', offer.offered()],
      ['updated', offer.offered({ labels: { a: 'b' } })],
    ],
    ['leads to its volume when it is listed with the offer on that', [toVolume], recorded, ['listed', offer.pending()]],
    ['brings one when it is bound', [toSource], ['added', unbound], ['updated', offer.offered()]],
    [
      'brings one when what keeps it busy is over',
      [toSource],
      ['added', offer.offered({ finalizers: ['snapshot.storage.kubernetes.io/pvc-as-source-protection'] })],
      ['updated', offer.offered()],
    ],
    [
      'brings one when the fence of a request is off',
      [toSource],
      ['added', offer.offered({ finalizers: [protection, ours] })],
      ['updated', offer.offered()],
    ],
    [
      'brings one when it is no longer offered, so that it is tidied up',
      [toSource],
      ['added', offer.offered()],
      ['updated', unoffered],
    ],
    [
      'leads to its volume when its owner enlarges it: that may be more than is accepted',
      [toVolume],
      ['added', offer.pending()],
      recorded,
      [
        'updated',
        { ...offer.pending(), spec: { ...offer.pending().spec, resources: { requests: { storage: '9Ti' } } } },
      ],
    ],
    [
      'leads to its volume when it is no longer offered',
      [toVolume],
      ['added', offer.pending()],
      recorded,
      ['updated', offer.pending({ annotations: {} })],
    ],
    [
      'leads to its volume when it is offered to another one',
      [toVolume],
      ['added', offer.pending()],
      recorded,
      ['updated', offer.pending(wished('test/end'))],
    ],
    [
      'leads to its volume when its owner deletes it',
      [toVolume],
      ['added', offer.pending()],
      recorded,
      ['updated', offer.pending({ deletionTimestamp })],
    ],
    [
      'leads to its volume when nothing but us holds it any more',
      [toVolume],
      ['added', offer.pending({ deletionTimestamp })],
      recorded,
      ['updated', offer.pending({ deletionTimestamp, finalizers: [offer.fence] })],
    ],
    [
      'leads to its volume when it vanishes',
      [toVolume],
      ['added', offer.pending()],
      recorded,
      ['deleted', offer.letGo()],
    ],
    [
      'brings none when it vanishes without ever having been begun',
      [],
      ['added', offer.offered()],
      ['deleted', offer.offered()],
    ],
    [
      'brings a message when another claim of its name is there',
      [toSource],
      ['added', offer.offered()],
      ['updated', offer.offered({ uid: 'uid-anew' })],
    ],
  ])('%s', (_, expected, ...changes) => {
    expect(routesAfter(...changes)).toEqual(expected);
  });

  test('brings no message by what we write on it', () => {
    const withCondition: Claim = { ...offer.pending(), status: { phase: 'Bound', conditions: [] } };
    const seen = [offer.offered(), offer.fenced(), offer.pending(), withCondition];
    const routes = routesOfEach(...seen.map((object): Seen => ['updated', object]));
    expect(routes).toEqual([[toSource], [], [], []]);
  });

  test('that is taken back brings none by what we take off it', () => {
    const marked = offer.pending({ annotations: { [offer.status]: 'pending' } });
    const routes = routesOfEach(['updated', offer.pending()], ['updated', marked], ['updated', unoffered]);
    expect(routes.slice(0, 2)).toEqual([[toSource], [toSource]]);
    expect(routes[2]?.filter((route) => route !== toSource)).toEqual([]);
  });
});

describe('a claim that accepts', () => {
  const other = offer.accepting({ annotations: { transferAccept: 'prod/other' } });
  test.each<[string, string[], ...Seen[]]>([
    ['brings a message when it is created', [toTarget], ['added', offer.accepting()]],
    ['brings one when it is listed', [toTarget], ['listed', offer.accepting()]],
    ['leads to the volume that is offered to it', [toVolume], recorded, ['added', offer.accepting()]],
    ['leads there when it is listed', [toVolume], ['listed', offer.recorded()], ['listed', offer.awaiting()]],
    ['brings none when it is listed complete', [], ['listed', offer.complete()]],
    [
      'leads to the volume when it accepts another one, and brings a message of its own for that',
      [toVolume, toTarget],
      ['added', offer.accepting()],
      recorded,
      ['updated', other],
    ],
    [
      'leads to the volume when it is deleted',
      [toVolume],
      ['added', offer.accepting()],
      recorded,
      ['deleted', offer.accepting()],
    ],
    ['brings none when it is deleted in vain', [], ['added', offer.accepting()], ['deleted', offer.accepting()]],
    [
      'leads to the volume when it is bound',
      [toVolume],
      recorded,
      ['added', offer.told()],
      ['updated', offer.told('Bound')],
    ],
    [
      'brings a message when it is listed with a mark that nobody needs',
      [toTarget],
      ['listed', offer.awaiting({ annotations: { [offer.status]: 'pending' } })],
    ],
  ])('%s', (_, expected, ...changes) => {
    expect(routesAfter(...changes)).toEqual(expected);
  });

  test('brings no message by what we write on it', () => {
    const seen = [offer.accepting(), offer.awaiting(), offer.told()];
    expect(routesOfEach(...seen.map((object): Seen => ['updated', object]))).toEqual([[toTarget], [], []]);
    const bound = [offer.told('Bound'), offer.complete()];
    expect(routesOfEach(...bound.map((object): Seen => ['updated', object]))).toEqual([[toTarget], []]);
  });
});

describe('a claim that somebody else’s offer names, whom nobody has asked', () => {
  const strange: Seen = [
    'updated',
    offer.recorded({
      'pv.kubernetes.io/transfer-source': 'evil/bait',
      'pv.kubernetes.io/transfer-destination': 'prod/data',
      'longshore.dev/transfer-offered-by': 'evil/bait/uid-bait',
    }),
  ];
  /** What was offered under its name before, by a claim that is gone. */
  const earlier: Seen = ['updated', offer.recorded({ 'longshore.dev/transfer-offered-by': 'prod/data/uid-earlier' })];
  const both = offer.offered({ annotations: { ...offer.wish, transferAccept: 'test/other' } });
  test.each<[string, string[], ...Seen[]]>([
    ['brings a message of its own when it is offered', [toVolume, toSource], strange, ['updated', offer.offered()]],
    ['brings one when it is listed', [toVolume, toSource], strange, ['listed', offer.offered()]],
    [
      'brings one when it accepts another one’s volume',
      [toVolume, toSource],
      strange,
      ['updated', offer.accepting({ namespace: 'prod', name: 'data', annotations: { transferAccept: 'test/end' } })],
    ],
    [
      'brings one when it is no longer offered',
      [toVolume, toSource],
      strange,
      ['added', offer.offered()],
      ['updated', unoffered],
    ],
    [
      'brings one when its name stands for an earlier claim',
      [toVolume, toSource],
      earlier,
      ['updated', offer.offered()],
    ],
    ['brings one for what it accepts besides', [toVolume, toSource], recorded, ['updated', both]],
    [
      'lets those know who accept it in vain',
      [toVolume, toTarget],
      strange,
      ['added', offer.accepting()],
      ['added', offer.offered()],
      ['deleted', offer.offered()],
    ],
  ])('%s', (_, expected, ...changes) => {
    expect(routesAfter(...changes)).toEqual(expected);
  });
});

test('what is no claim and no volume concerns nobody', () => {
  expect([routesAfter(['added', pod()]), routesAfter(['added', request()])]).toEqual([[], []]);
});

test('the marks of a transfer by request alone concern nobody here', () => {
  expect(routesAfter(['updated', fencedByRequest()])).toEqual([]);
});
