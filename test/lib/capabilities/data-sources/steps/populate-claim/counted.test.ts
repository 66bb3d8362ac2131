import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import { linkedClaim, referringClaim, storageClass } from '../../../../../support/builders-of-snapshots.ts';
import * as stage from '../../populate-stages.ts';
import { failures, settle, successes, writeOf } from '../../populate-table.ts';

const { agreed, held, later, now, stages } = stage;

describe('what is counted and announced', () => {
  const telling = (world: ReturnType<typeof agreed>) => writeOf(decide(world, now));
  const saying = (reason: string, message?: string) =>
    held({ status: { phase: 'Pending', conditions: [stage.said('False', reason, message)] } });

  test('is a failure by class and by the kind that was asked for', () => {
    const dimensions = { StorageClass: 'fast', SourceKind: 'VolumeSnapshotLink' };
    expect(telling(agreed({ grants: [] })).measure).toEqual([{ name: failures, unit: 'Count', value: 1, dimensions }]);
    const claim = referringClaim({ spec: { storageClassName: '' } });
    expect(telling(agreed({ claim, link: undefined, grants: [] })).measure).toMatchObject([
      { dimensions: { StorageClass: 'none', SourceKind: 'VolumeSnapshot' } },
    ]);
  });

  test.each([
    ['whose class is not there', agreed({ storageClass: undefined })],
    ['without a grant, whose class is not there either', agreed({ storageClass: undefined, grants: [] })],
    ['without a link, whose class is not there either', agreed({ storageClass: undefined, link: undefined })],
  ])('is a failure of no class that anybody has invented: of a claim %s', (_, world) => {
    expect(telling(world).measure).toMatchObject([{ dimensions: { StorageClass: 'unknown' } }]);
  });

  test('is a failure by class as well, when the class is not looked at any more', () => {
    const world = { ...stages.primeMade, storageClass: undefined, trouble: 'no space left' };
    expect(telling(world).measure).toMatchObject([{ dimensions: { StorageClass: 'fast' } }]);
  });

  test('is not the same failure in other words, but that is announced', () => {
    const world = { ...stages.primeMade, claim: saying('ProvisioningFailed', 'one'), trouble: 'two' };
    expect(telling(world).measure).toBeUndefined();
    expect(telling(world).announce).toMatchObject([{ type: 'Warning', reason: 'ProvisioningFailed', message: 'two' }]);
  });

  test('is nothing of what is ordinary, when it is put in other words', () => {
    const world = agreed({
      claim: saying('AwaitingConsumer', 'in other words'),
      storageClass: storageClass({ volumeBindingMode: 'WaitForFirstConsumer' }),
    });
    expect(telling(world)).toMatchObject({ announce: [] });
    expect(telling(world).measure).toBeUndefined();
  });

  test('is success once, though what was left is cleared up in another run', () => {
    const claim = stage.bound([stage.said('True', 'Populated', 'restored from VolumeSnapshot prod/backup')]);
    expect(settle(stage.populated({ claim })).writes).not.toContain('patch claim status');
    expect(writeOf(decide(stage.populated(), now)).measure).toMatchObject([{ name: successes }]);
  });

  test('keeps what others say of the claim', () => {
    const others = { ...stage.said('True', 'x'), type: 'Resizing' };
    const claim = linkedClaim({ status: { conditions: [others] } });
    expect(settle(agreed({ claim, grants: [] })).world.claim?.status?.conditions).toMatchObject([
      others,
      { type: 'DataPopulated', reason: 'NotGranted' },
    ]);
  });
});

test('a claim that waits says nothing more as time goes by', () => {
  const { world } = settle(agreed({ grants: [] }));
  for (const seconds of [1, 60, 3_600]) {
    expect(settle({ ...world, readAt: later(seconds) }, decide, later(seconds)).writes).toEqual([]);
  }
});
