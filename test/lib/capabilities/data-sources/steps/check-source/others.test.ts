import { describe, expect, test } from '@jest/globals';
import { judge } from '../../../../../../lib/capabilities/data-sources/judge/judge.ts';
import { testTable } from './check-table.ts';
import * as stage from './stages.ts';

const { annotations, content, handedOver, snapshot, sources, volume, withoutDriver } = stage;
const useless = { next: 'reject', event: 'Warning', isAtRest: true } as const;
const known = { next: 'done', isAtRest: true } as const;

describe('a source in another namespace, which is left to its provisioner,', () => {
  const bound = { claim: stage.claim(sources.foreign, 'Bound'), volume: volume() };
  const seen = { snapshot: snapshot({ namespace: 'backup' }), content: content() };
  testTable([
    {
      situation: 'is waited for',
      world: { claim: stage.claim(sources.foreign, 'Pending') },
      says: 'False NotBound',
      saying: 'VolumeSnapshot backup/monday',
      next: 'wait',
    },
    {
      situation: 'is not told of, whatever was read',
      world: { claim: stage.claim(sources.foreign, 'Pending'), snapshot: snapshot({ deletionTimestamp: 'now' }) },
      says: 'False NotBound',
      next: 'wait',
    },
    {
      situation: 'may be in the volume',
      world: bound,
      says: 'Unknown LeftToProvisioner',
      saying: 'VolumeSnapshotLink',
      ...known,
    },
    {
      situation: 'may be in it when the driver is right',
      world: { ...bound, ...seen },
      says: 'Unknown LeftToProvisioner',
      ...known,
    },
    {
      situation: 'cannot be in it when the driver differs',
      world: { ...bound, ...seen, content: content('file.example.com') },
      says: 'False IgnoredByProvisioner',
      ...useless,
    },
    {
      situation: 'cannot be in it when it is of no CSI driver',
      world: { ...bound, volume: withoutDriver(volume({ annotations: annotations.madeBy('nfs.example.com') })) },
      says: 'False IgnoredByProvisioner',
      ...useless,
    },
    {
      situation: 'may be a claim, too',
      world: { ...bound, claim: stage.claim(sources.foreignClaim, 'Bound') },
      says: 'Unknown LeftToProvisioner',
      ...known,
    },
  ]);
});

describe('a claim that accepts a transfer', () => {
  const came = stage.claim(sources.transfer, 'Bound', stage.arrivedByTransfer);
  const given = (status?: string, destination?: string) =>
    volume({ ...handedOver, annotations: annotations.transferred(status, destination) });
  testTable([
    {
      situation: 'waits for it, and names what there is to look at',
      world: { claim: stage.claim(sources.transfer, 'Pending') },
      says: 'False NotBound',
      saying: 'see its annotation pvc.kubernetes.io/transfer-status, and its Events',
      next: 'wait',
    },
    {
      situation: 'has the data when it has the volume',
      world: { claim: came, volume: given() },
      says: 'True Transferred',
      event: 'Normal',
      ...known,
    },
    {
      situation: 'has it while the marks on the volume are still to be tidied up',
      world: { claim: came, volume: given('pending') },
      says: 'True Transferred',
      event: 'Normal',
      ...known,
    },
    {
      situation: 'may have another one',
      world: { claim: came, volume: given('withdrawn') },
      says: 'Unknown OriginUnknown',
      ...known,
    },
    {
      situation: 'may have one that was transferred to somebody else',
      world: { claim: came, volume: given('complete', 'prod/other') },
      says: 'Unknown OriginUnknown',
      ...known,
    },
    {
      situation: 'may have another one when somebody calls its own a transfer',
      world: {
        claim: stage.claim(sources.transfer, 'Bound', {
          annotations: { 'longshore.dev/transferred-from': 'prod/data', ...annotations.chosen },
        }),
        volume: volume({
          ...handedOver,
          annotations: { ...annotations.transferred('pending'), 'pv.kubernetes.io/transfer-source': 'prod/data' },
        }),
      },
      says: 'Unknown OriginUnknown',
      ...known,
    },
    {
      situation: 'may have one that it was not told of',
      world: { claim: stage.claim(sources.transfer, 'Bound'), volume: given() },
      says: 'Unknown OriginUnknown',
      ...known,
    },
    {
      situation: 'has an empty one when a provisioner did not look',
      world: { claim: stage.claim(sources.transfer, 'Bound'), volume: volume() },
      says: 'False IgnoredByProvisioner',
      ...useless,
    },
    {
      situation: 'has one that lay about',
      world: {
        claim: stage.claim(sources.transfer, 'Bound'),
        volume: volume({ name: 'by-hand', annotations: annotations.chosen }),
      },
      says: 'False BoundToOtherVolume',
      ...useless,
    },
  ]);
});

describe('whatever the source is', () => {
  testTable([
    ...(['Pending', 'Bound'] as const).map((phase) => ({
      situation: `the server has dropped it from a claim that is ${phase}`,
      world: { claim: stage.claim({}, phase, stage.droppedFields) },
      says: 'False ReferenceDropped',
      saying: 'VolumeSnapshotLink',
      ...useless,
    })),
    ...(['Pending', 'Bound'] as const).map((phase) => ({
      situation: `the data of a claim that is ${phase} and names its volume may be in that, though the server has dropped it`,
      world: { claim: stage.claim({ volumeName: 'by-hand' }, phase, { ...stage.droppedFields, annotations: {} }) },
      says: 'Unknown OriginUnknown',
      saying: 'by-hand',
      next: 'done' as const,
      isAtRest: phase === 'Bound',
    })),
    {
      situation: 'a claim that has lost its volume has lost the data',
      world: { claim: stage.claim(sources.snapshot, 'Lost') },
      says: 'False VolumeLost',
      ...useless,
    },
    {
      situation: 'a volume that has just gone has taken it along',
      world: { claim: stage.claim(sources.snapshot, 'Bound') },
      says: 'False VolumeLost',
      ...useless,
      isAtRest: false,
    },
    {
      situation: 'so has one that belongs to another claim by now',
      world: {
        claim: stage.claim(sources.other, 'Bound'),
        volume: volume({}, { claimRef: { uid: 'uid-of-another' } }),
      },
      says: 'False VolumeLost',
      ...useless,
      isAtRest: false,
    },
  ]);
});

test('a claim that accepts a transfer and is told what that waits for is led to what it is told', () => {
  const pending = stage.claim(sources.transfer, 'Pending');
  const told = { type: 'Transferred', status: 'False' as const, reason: 'NotOffered', message: '' };
  const conditions = [{ ...told, lastTransitionTime: '2026-03-01T11:00:00Z' }];
  const { said } = judge(
    { ...pending, status: { phase: 'Pending', conditions } },
    { type: 'transfer', name: 'accepted' },
    {},
  );
  expect(said.message).toContain('see its condition Transferred');
});
