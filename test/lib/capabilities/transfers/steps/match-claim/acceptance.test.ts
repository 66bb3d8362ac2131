import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-claim/decide.ts';
import type { TransferWorld } from '../../../../../../lib/capabilities/transfers/world.ts';
import type { Claim, Volume } from '../../../../../../lib/kubernetes/objects.ts';
import { claim, settings } from '../../../../../support/builders.ts';
import { settle, summaryOf, testTable } from '../../../table.ts';
import * as offer from '../../offer-stages.ts';

const formerClass = 'volume.beta.kubernetes.io/storage-class';
const smallerAllowed = { ...settings(), smallerRequests: { isOn: true as const } };
const expanded: Claim = { ...offer.pending(), spec: { ...claim().spec, resources: { requests: { storage: '5Gi' } } } };
const onTarget = { on: ['target' as const] };
const accepting = (target: Claim, volume?: Volume): TransferWorld => ({
  ...offer.accepted,
  target,
  ...(volume ? { volume } : {}),
});
const asking = (spec: Claim['spec'], volume?: Volume) => accepting(offer.accepting({}, spec), volume);

describe('what keeps the destination from having the volume is said on it, while the source waits', () => {
  testTable(decide, [
    {
      situation: 'it has a volume of its own',
      world: asking({ volumeName: 'volume-2' }),
      says: 'reject TargetBound',
      saying: 'volume-2',
      ...onTarget,
    },
    {
      situation: 'it is being deleted',
      world: accepting(offer.accepting({ deletionTimestamp: offer.longAgo })),
      says: 'wait TargetDeleting',
      ...onTarget,
    },
    {
      situation: 'its storage class differs',
      world: asking({ storageClassName: 'slow' }),
      says: 'reject TargetDiffers',
      saying: `storageClassName is "slow", the volume's is "fast"`,
      ...onTarget,
    },
    {
      situation: 'its volume mode differs',
      world: asking({ volumeMode: 'Block' }),
      says: 'reject TargetDiffers',
      saying: `volumeMode is "Block", the volume's is "Filesystem"`,
      ...onTarget,
    },
    {
      situation: 'its attributes class differs',
      world: asking({ volumeAttributesClassName: 'gold' }),
      says: 'reject TargetDiffers',
      saying: `volumeAttributesClassName is "gold", the volume's is ""`,
      ...onTarget,
    },
    {
      situation: 'it asks for an access mode that the volume has not',
      world: asking({ accessModes: ['ReadWriteOnce', 'ReadWriteMany'] }),
      says: 'reject TargetDiffers',
      saying: 'accessModes has ReadWriteMany, the volume has ReadWriteOnce',
      ...onTarget,
    },
    {
      situation: 'it asks for more than the volume is',
      world: asking({ resources: { requests: { storage: '1.5Gi' } } }),
      says: 'reject TargetDiffers',
      saying: 'it requests 1.5Gi, the volume has 1Gi',
      ...onTarget,
    },
    {
      situation: 'all that differs is said at once',
      world: asking({ storageClassName: 'slow', volumeMode: 'Block' }),
      says: 'reject TargetDiffers',
      saying: `"fast"; volumeMode`,
      ...onTarget,
    },
    {
      situation: 'it has the volume named already: nothing is wrong',
      world: asking({ volumeName: 'volume-1' }),
      write: 'patch target',
      next: 'patch source status',
    },
    {
      situation: 'it asks for as much in other words, and for fewer modes: nothing is wrong',
      world: asking(
        { resources: { requests: { storage: '1024Mi' } }, volumeMode: 'Filesystem' },
        offer.recorded({}, { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] }),
      ),
      write: 'patch target',
      next: 'patch source status',
    },
    {
      situation: 'it asks for less than the volume is, which its quota would count',
      world: asking({ resources: { requests: { storage: '1' } } }),
      says: 'reject RequestTooSmall',
      saying:
        'it requests 1, the volume has 1Gi, and the quota of its namespace must count all of it: it must request 1Gi',
      ...onTarget,
    },
    {
      situation: 'it asks for less than the volume has grown to',
      world: accepting(offer.accepting(), offer.recorded({}, { capacity: { storage: '5Gi' } })),
      says: 'reject RequestTooSmall',
      saying:
        'it requests 1Gi, the volume has 5Gi, and the quota of its namespace must count all of it: it must request 5Gi',
      ...onTarget,
    },
    {
      situation: 'it asks for less than the source asks for by now, which its driver is to make of the volume',
      world: { ...accepting(offer.accepting()), source: expanded },
      says: 'reject RequestTooSmall',
      saying: 'the claim that offers the volume requests 5Gi, and the quota of its namespace must count all of it',
      ...onTarget,
    },
    {
      situation: 'it asks for as much as the source asks for by now: nothing is wrong',
      world: { ...asking({ resources: { requests: { storage: '5Gi' } } }), source: expanded },
      write: 'patch target',
      next: 'patch source status',
    },
    {
      situation: 'it asks for more than both',
      world: { ...asking({ resources: { requests: { storage: '6Gi' } } }), source: expanded },
      says: 'reject TargetDiffers',
      saying: 'it requests 6Gi, the volume has 5Gi',
      ...onTarget,
    },
    {
      situation: 'it asks for less, which an administrator allows: nothing is wrong',
      world: { ...asking({ resources: { requests: { storage: '1' } } }), settings: smallerAllowed },
      write: 'patch target',
      next: 'patch source status',
    },
    {
      situation: 'its class is another by the former annotation, which quotas go by',
      world: accepting(offer.accepting({ annotations: { ...offer.word, [formerClass]: 'cheap' } })),
      says: 'reject TargetDiffers',
      saying: `storageClassName is "cheap", the volume's is "fast"`,
      ...onTarget,
    },
    {
      situation: 'its class is that of the volume by the former annotation: nothing is wrong',
      world: accepting(
        offer.accepting({ annotations: { ...offer.word, [formerClass]: 'fast' } }, { storageClassName: 'other' }),
      ),
      write: 'patch target',
      next: 'patch source status',
    },
    {
      situation: 'the class of the volume is another by the former annotation',
      world: accepting(offer.accepting(), offer.recorded({ [formerClass]: 'gold' })),
      says: 'reject TargetDiffers',
      saying: `storageClassName is "fast", the volume's is "gold"`,
      ...onTarget,
    },
  ]);
});

describe('a claim of the destination without a word of acceptance gets nothing and is not written to', () => {
  const silent = offer.accepting({ annotations: {} });
  const elsewhere = offer.accepting({ annotations: { transferAccept: 'prod/other' } });
  const malformed = offer.accepting({ annotations: { transferAccept: 'data' } });
  const worlds: [string, TransferWorld][] = [
    ['that is not offered yet', offer.asked],
    ['that cannot be offered', { ...offer.asked, source: offer.offered({}, { volumeName: '' }), volume: undefined }],
    ['that is offered', offer.withPending],
    ['that its owner deletes', offer.deleted],
    ['that is held for long', { ...offer.deleted, source: offer.letGo({ deletionTimestamp: offer.longAgo }) }],
    ['that is gone', offer.orphaned],
    ['that vanished', { ...offer.withPending, source: undefined }],
    ['whose transfers are switched off', { ...offer.orphaned, settings: settings('transfersByAnnotation') }],
  ];
  test.each(worlds)('beside a source %s', (_, world) => {
    for (const target of [silent, elsewhere, malformed, claim({ metadata: silent.metadata })]) {
      const { writes, world: end } = settle(decide, { ...world, target });
      expect(writes.filter((write) => write.includes('arget'))).toEqual([]);
      expect(end.target).toEqual(target);
      expect(end.volume?.spec.claimRef).toEqual(world.volume?.spec.claimRef);
    }
  });
});

describe('a claim that accepts what nobody offers to it', () => {
  const alone = (target: Claim): TransferWorld => ({ target, settings: settings(), pods: [], readAt: offer.now });
  const saying = (transferAccept: string) => alone(offer.accepting({ annotations: { transferAccept } }));
  testTable(decide, [
    {
      situation: 'is told what its owner waits for, and no more',
      world: alone(offer.accepting()),
      says: 'wait NotOffered',
      saying:
        'claim prod/data is not offered to this one. Its owner can offer it with the annotation transferRequest: stage/copy',
      ...onTarget,
    },
    { situation: 'and names none', world: saying('data'), says: 'reject Invalid', ...onTarget },
    { situation: 'and names itself', world: saying('stage/copy'), says: 'reject Invalid', ...onTarget },
    {
      situation: 'while transfers by annotation are off',
      world: { ...alone(offer.accepting()), settings: settings('transfersByAnnotation') },
      says: 'wait TransfersOff',
      ...onTarget,
    },
  ]);

  test('hears no more of it when it does not accept any more', () => {
    const { world } = settle(decide, alone(offer.accepting()));
    const target = { ...(world.target as Claim), metadata: offer.accepting({ annotations: {} }).metadata };
    const { writes, world: end, decision } = settle(decide, { ...world, target });
    expect([writes, summaryOf(decision)]).toEqual([['patch target status'], 'done NoTransfer']);
    expect(end.target?.status?.conditions).toEqual([]);
  });
});
