import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-claim/decide.ts';
import { read } from '../../../../../../lib/capabilities/transfers/steps/rebind-volume/read.ts';
import type { TransferWorld } from '../../../../../../lib/capabilities/transfers/world.ts';
import type { Claim } from '../../../../../../lib/kubernetes/objects.ts';
import { namespace } from '../../../../../support/builders.ts';
import { clusterOf } from '../../../cluster-of.ts';
import { settle, summaryOf, testTable } from '../../../table.ts';
import * as offer from '../../offer-stages.ts';

const meant = 'longshore.dev/transfer-destination-namespace';
const home = 'longshore.dev/transfer-source-namespace';
const confirmation = 'longshore.dev/namespace-uids';
const stageAnew = {
  targetNamespace: namespace('stage', { uid: 'uid-anew', creationTimestamp: '2026-03-01T11:30:00Z' }),
};
const inStage = (source: Claim, more: Partial<TransferWorld> = {}): TransferWorld => ({
  ...offer.agreed,
  ...stageAnew,
  source,
  ...more,
});
const { [meant]: _, [home]: __, ...early } = offer.record;
/** As an earlier version of Longshore wrote it. */
const recordedEarly = (more: Record<string, string> = {}) =>
  offer.plain({ persistentVolumeReclaimPolicy: 'Retain' }, { annotations: { ...early, ...more } });
const confirmedBy = (uids: string, key = 'longshore.dev/destination-namespace-uids') => ({
  annotations: { ...offer.wish, [offer.status]: 'pending', [key]: uids },
});

describe('an offer to a namespace that is not there', () => {
  testTable(decide, [
    {
      situation: 'is not begun, so that nobody takes the claim for safe to be deleted',
      world: { ...offer.asked, targetNamespace: undefined },
      says: 'wait NamespaceMissing',
      saying: 'namespace stage does not exist, so claim stage/copy cannot be created',
      on: ['source'],
    },
    {
      situation: 'that has been there is told to its owner',
      world: { ...offer.withPending, targetNamespace: undefined },
      says: 'wait NamespaceMissing',
      on: ['source'],
    },
  ]);
});

describe('a namespace that was made anew under the name of the destination', () => {
  testTable(decide, [
    {
      situation: 'gets nothing while the owner of the source has not deleted it, and both are told how to confirm',
      world: inStage(offer.pending()),
      says: 'reject NamespaceReplaced',
      saying:
        'the owner of claim prod/data must give that claim the annotation longshore.dev/destination-namespace-uids: uid-anew',
      on: ['target', 'source'],
    },
    {
      situation: 'gets nothing when they have, and the claim stays',
      world: inStage(offer.letGo(), { answered: ['source', 'target'], volume: offer.staying.volume }),
      says: 'reject NamespaceReplaced',
      on: ['target', 'source'],
    },
    {
      situation: 'gets nothing when the source is gone: the volume is kept',
      world: inStage(offer.letGo(), { source: undefined, volume: offer.orphaned.volume }),
      says: 'reject NamespaceReplaced',
      on: ['target'],
    },
    {
      situation: 'is not meant by who has said from which namespace the claim once accepted its own volume',
      world: inStage(offer.pending(confirmedBy('*', confirmation))),
      says: 'reject NamespaceReplaced',
      on: ['target', 'source'],
    },
    {
      situation: 'is meant where the owner of the source says so',
      world: inStage(offer.pending(confirmedBy('uid-anew')), { answered: ['source'] }),
      write: 'patch volume',
      exactly: { metadata: { annotations: { [meant]: 'uid-anew' } } },
      next: 'patch source status',
    },
    {
      situation: 'is meant where they mean whoever has the name',
      world: inStage(offer.letGo({ annotations: { ...confirmedBy('*').annotations } }), { answered: ['source'] }),
      write: 'patch volume',
      exactly: { metadata: { annotations: { [meant]: 'uid-anew' } } },
      next: 'patch target',
    },
    {
      situation: 'is not meant where they have said so of another one',
      world: inStage(offer.pending(confirmedBy('uid-stage,uid-other'))),
      says: 'reject NamespaceReplaced',
      on: ['target', 'source'],
    },
  ]);
});

describe('a namespace that was made anew under the name of the source', () => {
  const accepting = (creationTimestamp: string, more: Record<string, string> = {}) =>
    offer.accepting({ creationTimestamp, annotations: { ...offer.word, ...more } });
  const later = { [home]: 'uid-prod-anew/2026-03-01T11:00:00Z' };
  const world = (target: Claim): TransferWorld => ({
    ...offer.orphaned,
    target,
    volume: offer.labelled('without-claim', offer.recorded({ ...offer.released, ...later })),
  });
  testTable(decide, [
    {
      situation: 'does not give its volume to whoever accepted a claim of the earlier one',
      world: world(accepting('2026-03-01T10:59:59Z')),
      says: 'reject SourceNamespaceReplaced',
      saying: 'its owner must give it the annotation longshore.dev/namespace-uids: uid-prod-anew',
      on: ['target'],
    },
    {
      situation: 'gives it to whoever accepts since',
      world: world(accepting('2026-03-01T11:00:00Z')),
      write: 'patch target',
      exactly: {},
      next: 'patch volume',
    },
    {
      situation: 'gives it to whoever says that this one is meant',
      world: world(accepting('2026-02-01T00:00:00Z', { [confirmation]: 'uid-prod-anew' })),
      write: 'patch target',
      exactly: {},
      next: 'patch volume',
    },
  ]);
});

describe('a record of an earlier version, which knew of no namespaces', () => {
  testTable(decide, [
    {
      situation: 'means the one that is there as long as its source is',
      world: { ...offer.agreed, volume: recordedEarly(), answered: ['source'] },
      write: 'patch volume',
      exactly: { metadata: { annotations: { [meant]: 'uid-stage' } } },
      next: 'patch source status',
    },
    {
      situation: 'whose source is gone means the one that was there by then',
      world: { ...offer.orphaned, target: offer.accepting(), volume: recordedEarly(offer.released) },
      write: 'patch target',
      exactly: {},
      next: 'patch volume',
    },
    {
      situation: 'whose source is gone does not mean one that came later',
      world: {
        ...offer.orphaned,
        target: offer.accepting(),
        volume: offer.labelled('without-claim', recordedEarly(offer.released)),
        targetNamespace: namespace('stage', { creationTimestamp: '2026-03-01T11:59:30Z' }),
      },
      says: 'reject NamespaceReplaced',
      on: ['target'],
    },
  ]);
});

test('namespaces are read after the claims that are to be in them', async () => {
  const cluster = clusterOf(offer.recorded(), offer.pending(), offer.accepting());
  await read(cluster, { name: 'volume-1' }, offer.now);
  const namespaces = cluster.asked.filter((path) => /namespaces\/[a-z]+$/.test(path));
  expect(namespaces).toEqual(['/api/v1/namespaces/prod', '/api/v1/namespaces/stage']);
  expect(cluster.asked.slice(-2)).toEqual(namespaces);
});

test('a source and a destination in one namespace cost one call', async () => {
  const annotations = { transferRequest: 'prod/copy', [offer.status]: 'pending' };
  const volume = offer.recorded({ 'pv.kubernetes.io/transfer-destination': 'prod/copy', [meant]: 'uid-prod' });
  const cluster = clusterOf(volume, offer.pending({ annotations }), offer.accepting({ namespace: 'prod' }));
  const world = await read(cluster, { name: 'volume-1' }, offer.now);
  expect(cluster.asked.filter((path) => path.endsWith('/namespaces/prod'))).toHaveLength(1);
  expect(summaryOf(settle(decide, world).decision)).toBe('wait AwaitingDeletion');
});
