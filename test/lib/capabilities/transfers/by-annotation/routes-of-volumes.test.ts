import { describe, expect, test } from '@jest/globals';
import { transfersByAnnotation } from '../../../../../lib/capabilities/transfers/by-annotation/capability.ts';
import type { Volume } from '../../../../../lib/kubernetes/objects.ts';
import { resources } from '../../../../../lib/kubernetes/resources.ts';
import type { Change } from '../../../../../lib/reconcile/routing.ts';
import { claim, volume } from '../../../../support/builders.ts';
import * as offer from '../offer-stages.ts';
import { undoing } from '../stages.ts';
import { routesAfter, routesOfEach, type Seen, toSource, toTarget, toVolume } from './routes-after.ts';

const orphaned = offer.recorded(offer.released);
const moved = offer.recorded(offer.released, offer.ofTarget);
const accepting: Seen = ['added', offer.accepting()];
const pending: Seen = ['updated', offer.recorded()];
const ended = (status: string, spec: Partial<Volume['spec']> = {}) =>
  offer.plain(spec, { annotations: { 'pv.kubernetes.io/transfer-status': status } });

const leftBehind = { ...offer.recorded().metadata.annotations, ...undoing().metadata.annotations };

describe('a volume', () => {
  test.each<[string, string[], ...Seen[]]>([
    ['that is part of no offer brings no message', [], ['listed', volume()]],
    ['that is part of one is taken up when it is listed', [toVolume], ['listed', offer.recorded()]],
    ['whose offer is over is not', [], ['listed', ended('complete')]],
    ['whose offer was withdrawn is not', [], ['listed', ended('withdrawn')]],
    ['that we made safe brings none', [], pending],
    ['that only waits to be accepted brings none while nobody accepts it', [], pending, ['updated', orphaned]],
    ['that only waits to be accepted and has been is taken up', [toVolume], accepting, pending, ['updated', orphaned]],
    ['that has been taken up for that is not again', [], accepting, ['updated', orphaned], ['updated', orphaned]],
    ['that has moved brings none', [], accepting, ['updated', orphaned], ['updated', moved]],
    ['that is complete brings none', [], accepting, ['updated', moved], ['updated', ended('complete', offer.ofTarget)]],
    [
      'that is withdrawn is told to the claim that waits for it',
      [toTarget],
      accepting,
      pending,
      ['updated', ended('withdrawn')],
    ],
    ['that is withdrawn is told to nobody where nobody waits', [], pending, ['updated', volume()]],
    [
      'that no request moves any more leads to the claim that waited for that to be offered',
      [toSource],
      ['updated', offer.offered()],
      ['updated', undoing()],
      ['updated', volume()],
    ],
    [
      'that a request has left behind as an offer is taken up when the roll-back is over',
      [toVolume],
      ['updated', { ...undoing(), metadata: { ...undoing().metadata, annotations: leftBehind } }],
      ['updated', offer.recorded()],
    ],
    [
      'that no request moves any more leads to no claim without an offer',
      [],
      ['updated', undoing()],
      ['updated', volume()],
    ],
    ['that is gone is told to both claims', [toSource, toTarget], accepting, pending, ['deleted', offer.recorded()]],
    [
      'that is offered to another claim is told to the one that waited for it',
      [toTarget],
      accepting,
      pending,
      ['updated', offer.recorded({ 'pv.kubernetes.io/transfer-destination': 'test/end' })],
    ],
    [
      'that is complete leads on where its new claim is offered already',
      [toTarget],
      ['added', offer.told('Bound', { transferRequest: 'test/end' })],
      ['updated', moved],
      ['updated', ended('complete', offer.ofTarget)],
    ],
  ])('%s', (_, expected, ...changes) => {
    expect(routesAfter(...changes)).toEqual(expected);
  });
});

describe('whichever of two kinds is seen first', () => {
  const lastOf = (...changes: Seen[]) => routesOfEach(...changes).flat();

  test('an acceptance and the release of its volume lead to the volume', () => {
    expect(lastOf(accepting, ['updated', orphaned])).toContain(toVolume);
    expect(lastOf(['updated', orphaned], accepting)).toContain(toVolume);
  });

  test('an acceptance and the offer on the volume lead to one of both', () => {
    expect(lastOf(accepting, pending)).toEqual([toTarget]);
    expect(lastOf(pending, accepting)).toEqual([toVolume]);
  });

  test('an end and an offer of the claim that got the volume lead on', () => {
    const onward: Seen = ['updated', offer.told('Bound', { transferRequest: 'test/end' })];
    const end: Seen = ['updated', ended('complete', offer.ofTarget)];
    expect(lastOf(['updated', moved], onward, end)).toContain(toTarget);
    expect(routesAfter(['updated', moved], end, onward)).toEqual([toTarget]);
  });

  test('a source that vanishes and the offer on its volume lead to the volume, at the latest when that is listed', () => {
    expect(routesAfter(pending, ['updated', offer.pending()], ['deleted', offer.letGo()])).toEqual([toVolume]);
    expect(routesAfter(['deleted', offer.letGo()], ['listed', offer.recorded()])).toEqual([toVolume]);
  });
});

test('a name that two offers share leads to both volumes', () => {
  const second = offer.recorded({ 'longshore.dev/transfer-offered-by': 'prod/data/uid-recreated' });
  const other: Volume = { ...second, metadata: { ...second.metadata, name: 'volume-2' } };
  expect(routesAfter(pending, ['updated', other], accepting)).toEqual([toVolume, 'rebind-volume volume-2']);
  expect(routesAfter(pending, ['updated', other], ['deleted', other], accepting)).toEqual([toVolume]);
});

test('what a list finds is routed after all of it has been noted', () => {
  const router = transfersByAnnotation.createRouter();
  const listed = [offer.recorded(), claim({ metadata: { name: 'else' } }), offer.pending(), offer.awaiting()].map(
    (object): Change => ({
      type: 'listed',
      resource: object.kind === resources.volume.kind ? resources.volume : resources.claim,
      object,
      seenAt: offer.now,
    }),
  );
  for (const change of listed) router.note(change);
  const routes = listed.map((change) => router.routesOf(change).map(({ key }) => key.name));
  expect(routes).toEqual([['volume-1'], [], ['volume-1'], ['volume-1']]);
});

test('to ask for the routes of a change changes nothing, and one router knows nothing of another', () => {
  const [router, other] = [transfersByAnnotation.createRouter(), transfersByAnnotation.createRouter()];
  const change: Change = { type: 'updated', resource: resources.claim, object: offer.offered(), seenAt: offer.now };
  router.note(change);
  expect(router.routesOf(change)).toEqual(router.routesOf(change));
  expect([router.routesOf(change).length, other.routesOf(change).length]).toEqual([1, 0]);
});
