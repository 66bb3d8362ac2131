import { describe } from '@jest/globals';
import { testTable } from './check-table.ts';
import * as stage from './stages.ts';

const { late, snapshot, sources } = stage;
const pending = stage.claim(sources.snapshot, 'Pending');
const waiting = { next: 'wait' } as const;

describe('a claim without a volume, which is to be restored from a snapshot', () => {
  const error = { message: 'quota of snapshots' };
  const deletionTimestamp = late;
  testTable([
    {
      situation: 'waits for its provisioner',
      world: { claim: pending, snapshot: snapshot() },
      says: 'False NotBound',
      ...waiting,
    },
    {
      situation: 'has no snapshot',
      world: { claim: pending },
      says: 'False SourceMissing',
      saying: 'no VolumeSnapshot monday in namespace prod',
      event: 'Warning',
      ...waiting,
    },
    {
      situation: 'has one that is still being taken',
      world: {
        claim: pending,
        snapshot: snapshot({}, { readyToUse: false, boundVolumeSnapshotContentName: 'content-1' }),
      },
      says: 'False SourceNotReady',
      saying: 'still being taken',
      ...waiting,
    },
    {
      situation: 'has one of which nothing is known yet',
      world: { claim: pending, snapshot: { ...snapshot(), status: {} } },
      says: 'False SourceNotReady',
      ...waiting,
    },
    {
      situation: 'has one that is not bound',
      world: { claim: pending, snapshot: snapshot({}, { readyToUse: true }) },
      says: 'False SourceNotReady',
      ...waiting,
    },
    {
      situation: 'has one that could not be taken',
      world: { claim: pending, snapshot: snapshot({}, { readyToUse: false, error }) },
      says: 'False SourceNotReady',
      saying: 'quota of snapshots',
      event: 'Warning',
      ...waiting,
    },
    {
      situation: 'has one that failed at first and is ready now',
      world: { claim: pending, snapshot: snapshot({}, { ...snapshot().status, error }) },
      says: 'False NotBound',
      ...waiting,
    },
    {
      situation: 'has one that is being deleted',
      world: { claim: pending, snapshot: snapshot({ deletionTimestamp }) },
      says: 'False SourceNotReady',
      saying: 'being deleted',
      event: 'Warning',
      ...waiting,
    },
  ]);
});
