import { describe, expect, test } from '@jest/globals';
import type { Claim, ClusterObject } from '../../../../lib/kubernetes/objects.ts';
import {
  linkedClaim,
  linkGrant,
  snapshotLink,
  storageClass,
  volumeSnapshot,
} from '../../../support/builders-of-snapshots.ts';
import { everything, Play } from './populate-play.ts';
import * as stage from './populate-stages.ts';
import { routesOfList, toClaim, toCopies } from './routes-after.ts';

const { bound, contentCopy, held, prime, primeBound, snapshotCopy, said } = stage;
const around = [snapshotLink(), linkGrant(), volumeSnapshot(), storageClass()];
const copies = [contentCopy(), snapshotCopy(), primeBound()];
const released = stage.volume({}, {}, 'Released');
const populated = said('True', 'Populated');
const letGo = { finalizers: [] };
const done = bound([populated], letGo);
const pending = (reason: string): Claim =>
  linkedClaim({ status: { phase: 'Pending', conditions: [said('False', reason)] } });

describe('a forwarder that begins anew takes up', () => {
  test.each<[string, ClusterObject[]]>([
    ['a claim that is new', [linkedClaim()]],
    ['a claim that waits, whatever it says', [pending('NotGranted')]],
    ['a claim that was refused', [pending('OtherDriver')]],
    ['a claim that has failed', [pending('Failed')]],
    ['a claim that is held', [held()]],
    ['a claim with its copies', [held(), ...copies]],
    ['a claim with a volume', [held(), ...copies, stage.volume()]],
    ['a claim whose volume is handed over', [held(), ...copies, stage.handed()]],
    ['a claim that is bound and says nothing', [bound([], letGo)]],
    ['a claim that is bound and does not say it of its data', [bound([{ ...populated, type: 'Resizing' }], letGo)]],
    ['a claim that is populated and held', [bound([populated]), ...copies]],
    ['a claim that is let go and deleted', [bound([populated], { ...letGo, ...stage.deleting })]],
    ['a claim that is deleted midway', [held({ metadata: stage.deleting }), ...copies]],
    ['a claim that is populated, with a copy that came too late', [done, contentCopy()]],
    ['a claim that is populated, with a prime claim that came too late', [done, prime()]],
    [
      'a claim that has lost its volume and says nothing of it',
      [{ ...done, status: { ...done.status, phase: 'Lost' } } as Claim],
    ],
  ])('%s', (_, objects) => {
    expect(routesOfList(...around, ...objects)).toEqual([toClaim]);
  });

  test('a claim that was bound in the meantime by somebody else, and still says what it waited for', () => {
    const reasons = ['NotGranted', 'LinkMissing', 'SnapshotMissing', 'AwaitingConsumer', 'Failed', 'SnapshotsOff'];
    for (const reason of reasons) {
      const claim = bound([said('False', reason)], letGo);
      expect([reason, routesOfList(...around, claim)]).toEqual([reason, [toClaim]]);
    }
  });

  test.each<[string, ClusterObject[]]>([
    ['copies whose claim is gone', copies],
    ['one copy whose claim is gone', [contentCopy()]],
    ['copies that are going, whose claim is gone', [stage.primeGoing()]],
    [
      'copies of a claim that was made anew and is done',
      [...copies, { ...done, metadata: { ...done.metadata, uid: 'uid-anew' } }],
    ],
    ['a volume that came too late', [released]],
    ['a volume that came too late for a claim that is done', [released, done]],
  ])('%s', (_, objects) => {
    expect(routesOfList(...around, ...objects)).toEqual([toCopies]);
  });
});

describe('a forwarder that begins anew leaves alone', () => {
  test.each<[string, ClusterObject[]]>([
    ['all that others wait for', around],
    ['a claim that is populated', [done, stage.handed()]],
    ['a claim that has another volume and says so', [bound([said('Unknown', 'BoundToOtherVolume')], letGo)]],
    ['a claim without a source', [linkedClaim({ spec: { dataSourceRef: undefined as never } })]],
    ['a volume that a user has released', [stage.volume({ claimRef: stage.toClaim }, {}, 'Released')]],
  ])('%s', (_, objects) => {
    expect(routesOfList(...around, ...objects)).toEqual([]);
  });
});

test('whatever was written last, a list finds the claim until it is at rest', async () => {
  const play = new Play(everything());
  for (let count = 0; count < 11; count += 1) {
    expect(routesOfList(...play.objects)).toContain(toClaim);
    while (play.writes.length === count) {
      play.othersWork();
      await play.run(1);
    }
  }
  expect(routesOfList(...play.objects)).toEqual([]);
});

test('what is left of a claim that went by force is found, whatever was written last', async () => {
  for (let count = 2; count < 10; count += 1) {
    const play = new Play(everything());
    while (play.writes.length < count) {
      play.othersWork();
      await play.run(1);
    }
    play.objects = play.objects.filter(({ metadata }) => metadata.uid !== 'uid-claim');
    expect(routesOfList(...play.objects)).toEqual([toCopies]);
  }
});
