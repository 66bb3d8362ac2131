import { describe, expect, test } from '@jest/globals';
import { measuredFailure } from '../../../../../../lib/capabilities/data-sources/measurements.ts';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import {
  linkedClaim,
  linkGrant,
  namespace,
  snapshotContent,
  snapshotLink,
  storageClass,
  volumeSnapshot,
} from '../../../../../support/builders-of-snapshots.ts';
import { reading } from '../../populate-reading.ts';
import * as stage from '../../populate-stages.ts';
import { testTable, writeOf } from '../../populate-table.ts';

const { agreed, now, stages } = stage;
const named = (name: string) => ({ annotations: { 'volume.beta.kubernetes.io/storage-class': name } });
const gold = storageClass({ metadata: { name: 'gold', uid: 'uid-gold' } });

describe('the class of a claim that has the annotation of former times is the one which that names, as for quotas:', () => {
  test('it is looked at', async () => {
    const claim = linkedClaim({ metadata: named('gold') });
    const objects = [snapshotLink(), linkGrant(), volumeSnapshot(), snapshotContent(), namespace('test')];
    const { world } = await reading(claim, ...objects, storageClass(), gold);
    expect(world.storageClass).toEqual(gold);
  });

  test('the volume is made with it', () => {
    const claim = stage.held({ metadata: { finalizers: [stage.hold], ...named('gold') } });
    const write = writeOf(decide({ ...stages.snapshotReady, claim, storageClass: gold }, now));
    expect(write).toMatchObject({ slot: 'prime', body: { spec: { storageClassName: 'gold' } } });
  });

  test('it is what is counted', () => {
    const claim = linkedClaim({ metadata: named('gold') });
    expect(measuredFailure(claim, { storageClass: gold }).dimensions).toMatchObject({ StorageClass: 'gold' });
  });

  testTable([
    {
      situation: 'it may be missing',
      world: agreed({ claim: linkedClaim({ metadata: named('gold') }), storageClass: undefined }),
      says: 'False StorageClassMissing',
      next: 'wait',
      saying: 'StorageClass gold',
    },
    {
      situation: 'an empty one is none',
      world: agreed({ claim: linkedClaim({ metadata: named('') }), storageClass: undefined }),
      says: 'False StorageClassMissing',
      next: 'reject',
      saying: 'the claim has no storage class',
    },
  ]);
});
