import { describe, expect, test } from '@jest/globals';
import { read } from '../../../../../../lib/capabilities/transfers/steps/match-claim/read.ts';
import type { Claim } from '../../../../../../lib/kubernetes/objects.ts';
import { claim, configMap, namespace, pod, settings } from '../../../../../support/builders.ts';
import { clusterOf } from '../../../cluster-of.ts';
import * as offer from '../../offer-stages.ts';

const { now, destination } = offer;
const source = { namespace: 'prod', name: 'data' };
const target = { namespace: 'stage', name: 'copy' };
const claimPath = ({ namespace, name }: typeof source) =>
  `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}`;

test('a claim that is gone is a world without anything', async () => {
  expect(await read(clusterOf(), source, now)).toEqual({ pods: [], readAt: now });
});

describe('a claim that is offered', () => {
  test('leads to its volume and to the claim that it is offered to', async () => {
    const world = await read(clusterOf(offer.offered(), offer.accepting(), offer.plain()), source, now);
    expect(world).toEqual({
      source: offer.offered(),
      target: offer.accepting(),
      destination,
      sourceNamespace: namespace('prod'),
      targetNamespace: namespace('stage'),
      volume: offer.plain(),
      settings: settings(),
      pods: [],
      readAt: now,
    });
  });

  test('leads with its volume to the pods that use it, once the offer is recorded', async () => {
    const world = await read(clusterOf(offer.pending(), offer.awaiting(), offer.recorded(), pod()), source, now);
    expect(world).toMatchObject({ source: offer.pending(), target: offer.awaiting(), pods: [pod()] });
  });

  test('to a place that is none leads to no other claim', async () => {
    const cluster = clusterOf(offer.offered({ annotations: { transferRequest: 'copy' } }), offer.plain());
    expect((await read(cluster, source, now)).target).toBeUndefined();
    expect(cluster.asked.filter((path) => path.includes('claims'))).toEqual([claimPath(source)]);
  });

  test('and that has a volume of an earlier offer leads to what that concerns: it comes first', async () => {
    const onward = offer.told('Bound', { transferRequest: 'test/end' });
    const end = offer.accepting({ namespace: 'test', name: 'end', uid: 'uid-end' });
    const volume = offer.recorded(offer.released, offer.ofTarget);
    const world = await read(clusterOf(onward, end, volume), target, now);
    expect(world).toMatchObject({ target: onward, volume, destination });
    expect(world.source).toBeUndefined();
  });

  test('and that is fenced without being offered any more leads to its volume', async () => {
    const fenced = offer.fenced({ annotations: {} });
    expect(await read(clusterOf(fenced, offer.plain()), source, now)).toMatchObject({ source: fenced });
  });
});

describe('a claim that accepts', () => {
  test('leads to the claim that is offered to it, and to its volume', async () => {
    const world = await read(clusterOf(offer.offered(), offer.accepting(), offer.plain()), target, now);
    expect(world).toMatchObject({ source: offer.offered(), target: offer.accepting(), volume: offer.plain() });
  });

  test.each<[string, Claim]>([
    ['to another one', offer.offered({ annotations: { transferRequest: 'stage/other' } })],
    ['to nobody', claim()],
    ['to another one that it waits for', offer.pending({ annotations: { transferRequest: 'stage/other' } })],
  ])('does not lead to a claim that is offered %s: anybody can name any claim', async (_, other) => {
    const world = await read(clusterOf(other, offer.accepting(), offer.recorded(), pod()), target, now);
    expect(world).toEqual({
      target: offer.accepting(),
      settings: settings(),
      pods: [],
      readAt: now,
      source: undefined,
      volume: undefined,
    });
  });

  test('leads to the volume that it waits for when the source is gone', async () => {
    const volume = offer.recorded(offer.released);
    const world = await read(clusterOf(offer.awaiting(), volume), target, now);
    expect(world).toMatchObject({ target: offer.awaiting(), volume, destination });
  });

  test('does not lead to the volume of an offer to another claim, whatever is written on it', async () => {
    const volume = offer.recorded({ ...offer.released, 'pv.kubernetes.io/transfer-destination': 'stage/other' });
    const world = await read(clusterOf(offer.awaiting(), volume), target, now);
    expect(world.volume).toBeUndefined();
  });
});

test('what an administrator has switched off is known', async () => {
  const off = configMap({ 'transfers-by-annotation': 'off' });
  const worlds = [
    await read(clusterOf(offer.offered(), offer.plain(), off), source, now),
    await read(clusterOf(offer.pending(), offer.recorded(), off), source, now),
    await read(clusterOf(offer.accepting(), off), target, now),
  ];
  expect(worlds.map((world) => world.settings?.transfersByAnnotation.isOn)).toEqual([false, false, false]);
});
