import { describe, expect, test } from '@jest/globals';
import { awaitsPolicy, markTaken, noLongerTaken, takenOn } from '../../../../lib/capabilities/data-sources/taken.ts';
import { markReleased, writeOffer } from '../../../../lib/capabilities/transfers/by-annotation/volume-marks.ts';
import {
  markDone,
  markUndoing,
  recordOf,
  writeRecord,
} from '../../../../lib/capabilities/transfers/by-request/volume-marks.ts';
import { keepVolume } from '../../../../lib/capabilities/transfers/kept-volume.ts';
import type { Volume } from '../../../../lib/kubernetes/objects.ts';
import { mergePatch } from '../../../simulation/merge-patch.ts';
import { linkedClaim } from '../../../support/builders-of-snapshots.ts';
import * as stage from './populate-stages.ts';
import { routesAfter, toCopies } from './routes-after.ts';

const user = { ...stage.toClaim, namespace: 'shop', name: 'data', uid: 'uid-of-a-user' };
const owner = linkedClaim({ metadata: { namespace: 'shop', name: 'data', uid: 'uid-of-a-user' } });
const mark = markTaken({ by: stage.copyName, policy: 'Delete' });
const taken = (phase: string, ...patches: object[]): Volume => {
  const retained = stage.stray({ persistentVolumeReclaimPolicy: 'Retain', claimRef: user }, mark);
  return patches.reduce(mergePatch, { ...retained, status: { phase } } as object) as Volume;
};
const free = { spec: { claimRef: null } };

const record = {
  transfer: { namespace: 'shop', name: 'move', uid: 'uid-transfer' },
  source: { namespace: 'shop', name: 'data', uid: 'uid-of-a-user' },
  target: { namespace: 'stage', name: 'data' },
  approval: 'yes',
  approvalUid: undefined,
  originalPolicy: 'Retain' as const,
};
const recorded = writeRecord(record);
const offer = writeOffer(owner, record.target, taken('Bound'), {});

describe('a volume that was taken in error', () => {
  test('says by whom, and which policy it had', () => {
    expect(takenOn(taken('Bound'))).toEqual({ by: stage.copyName, policy: 'Delete' });
    expect(takenOn(taken('Bound', { metadata: { annotations: noLongerTaken } }))).toBeUndefined();
    expect(takenOn(stage.stray())).toBeUndefined();
  });

  test.each([
    ['is free', taken('Available', free)],
    ["is somebody's", taken('Bound')],
    [
      'was transferred',
      taken('Bound', { metadata: { annotations: { 'pv.kubernetes.io/transfer-status': 'complete' } } }),
    ],
  ])('leads to the copies that took it when it %s', (_, volume) => {
    for (const type of ['added', 'updated', 'listed'] as const) {
      expect(routesAfter([type, volume])).toEqual([toCopies]);
    }
    expect(routesAfter(['added', volume], ['deleted', volume])).toEqual([]);
  });

  test.each([
    ['that is counted as Released', taken('Released')],
    ['that is counted as Released and free', taken('Released', free)],
    ['that failed', taken('Failed')],
    ['with the record of a transfer', taken('Bound', recorded)],
    ['that is Available with the record of a transfer', taken('Available', recorded)],
    ['with the record of one that is done', taken('Bound', recorded, markDone(recordOn(recorded)))],
    ['with the mark of a rollback', taken('Bound', markUndoing(record.transfer, record.target))],
    ['that is offered', taken('Bound', offer)],
    ['that is offered and was let go', taken('Available', offer, markReleased(stage.now))],
    ['that is kept', taken('Available', free, keepVolume(owner, taken('Bound')))],
  ])('waits %s', (_, volume) => {
    expect(awaitsPolicy(volume)).toBe(false);
    expect(routesAfter(['added', volume])).toEqual([]);
  });

  test('does not wait any more when the transfer is over', () => {
    const over = { metadata: { annotations: Object.fromEntries(marksOf(recorded).map((name) => [name, null])) } };
    expect(routesAfter(['added', taken('Bound', recorded)], ['updated', taken('Bound', recorded, over)])).toEqual([
      toCopies,
    ]);
  });
});

function recordOn(written: object) {
  const found = recordOf(taken('Bound', written));
  if (!found) throw new Error('there is no record');
  return found;
}

function marksOf(written: object): string[] {
  return Object.keys((written as { metadata: { annotations: object } }).metadata.annotations);
}
