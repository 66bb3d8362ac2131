import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-claim/decide.ts';
import { settings } from '../../../../../support/builders.ts';
import { settle, summaryOf, testTable, writeOf } from '../../../table.ts';
import * as offer from '../../offer-stages.ts';

const to = (transferRequest: string) => ({ annotations: { transferRequest, [offer.status]: 'pending' } });
const redirected = {
  metadata: {
    annotations: {
      'pv.kubernetes.io/transfer-destination': 'test/end',
      'longshore.dev/transfer-destination-namespace': null,
    },
  },
};
const secret = { csi: { nodeStageSecretRef: { name: 'key', namespace: 'stage' } } };

describe('a source whose owner names another destination', () => {
  testTable(decide, [
    {
      situation: 'has that recorded, and everything is read again, as the claim there may accept already',
      world: { ...offer.agreed, source: offer.pending(to('test/end')) },
      write: 'patch volume',
      exactly: redirected,
      next: 'reread DestinationChanged',
    },
    {
      situation: 'also when it is deleted: the claim that was named before does not get the volume any more',
      world: { ...offer.agreed, source: offer.letGo(to('test/end')) },
      write: 'patch volume',
      exactly: redirected,
      next: 'reread DestinationChanged',
    },
    {
      situation: 'also while transfers are switched off',
      world: { ...offer.agreed, source: offer.pending(to('test/end')), settings: settings('transfersByAnnotation') },
      write: 'patch volume',
      exactly: redirected,
      next: 'reread DestinationChanged',
    },
    {
      situation: 'but not after it has been let go: that was the last word',
      world: { ...offer.orphaned, source: offer.letGo(to('test/end')) },
      write: 'patch source',
      body: { metadata: { finalizers: [] } },
      next: 'wait AwaitingAcceptance',
    },
  ]);

  test('which cannot have the volume has taken the offer back, and is told why', () => {
    const volume = offer.recorded({}, { csi: { nodeStageSecretRef: { name: 'key', namespace: 'prod' } } });
    const inside = { ...offer.recorded(), spec: { ...volume.spec } };
    const { writes, decision, world } = settle(decide, {
      ...offer.withPending,
      volume: inside,
      source: offer.pending(to('test/end')),
    });
    expect([writes, summaryOf(decision)]).toEqual([
      ['patch volume', 'patch source', 'patch volume', 'patch source status'],
      'reject SecretsInSourceNamespace',
    ]);
    expect(world.volume?.spec.persistentVolumeReclaimPolicy).toBe('Delete');
  });

  test('which is the claim itself has taken the offer back, and is told why', () => {
    const { writes, decision } = settle(decide, { ...offer.withPending, source: offer.pending(to('prod/data')) });
    expect([writes, summaryOf(decision)]).toEqual([
      ['patch volume', 'patch source', 'patch volume', 'patch source status'],
      'reject Invalid',
    ]);
  });

  test('is not kept from it by Secrets in a namespace that the volume does not leave', () => {
    const world = { ...offer.withPending, volume: offer.recorded({}, secret), source: offer.pending(to('test/end')) };
    expect(writeOf(decide(world, offer.now))).toMatchObject({ slot: 'volume', body: redirected });
  });
});
