import { describe } from '@jest/globals';
import { decide } from '../../../functions/match-transfer/decide.ts';
import { pod, protection } from '../../support/builders.ts';
import * as stage from '../stages.ts';
import { testTable } from '../table.ts';

const longAgo = '2026-03-01T11:00:00Z';

describe('what is wrong with the target is said before anything is destroyed', () => {
  const refused = { slot: 'target', message: 'exceeded quota: claims' };
  const foreign = stage.target({ annotations: {} });
  const forged = { ...stage.target(), spec: { volumeName: 'volume-2' } };
  const ofAnother = stage.target({ annotations: { 'longshore.dev/transferred-by': 'stage/other/uid-other' } });
  testTable(decide, [
    {
      situation: 'a claim of its name exists',
      world: { ...stage.withFence, target: foreign },
      tells: 'reject TargetExists',
      saying: 'stage/copy',
    },
    {
      situation: 'a claim with our mark waits for another volume',
      world: { ...stage.withFence, target: forged },
      tells: 'reject TargetExists',
    },
    {
      situation: 'a roll-back that has begun is waited for, even when the source was deleted since',
      world: { ...stage.withRecord, source: stage.undoing({ deletionTimestamp: longAgo }) },
      tells: 'wait RollingBack',
    },
    {
      situation: 'a claim of another transfer has its name',
      world: { ...stage.withFence, target: ofAnother },
      tells: 'reject TargetExists',
    },
    {
      situation: 'the server refuses it',
      world: { ...stage.withFence, refused },
      tells: 'reject TargetRefused',
      saying: 'exceeded quota: claims',
    },
    {
      situation: 'it is being deleted',
      world: { ...stage.withFence, target: stage.target({ deletionTimestamp: longAgo }) },
      tells: 'wait TargetDeleting',
    },
  ]);
});

describe('what is waited for after the source is deleted is said as well', () => {
  const heldForLong = stage.fenced({ deletionTimestamp: longAgo });
  const taken = { claimRef: { namespace: 'test', name: 'thief', uid: 'uid-thief' } };
  const refused = { slot: 'target', message: 'exceeded quota: claims' };
  testTable(decide, [
    {
      situation: 'pods that still use the source',
      world: { ...stage.withRecord, pods: [pod()] },
      tells: 'wait SourceInUse',
      saying: 'pods: app;',
    },
    {
      situation: 'a source that has been held for long',
      world: { ...stage.deleted, source: heldForLong },
      tells: 'wait SourceHeld',
      saying: protection,
    },
    {
      situation: 'a volume that someone else took',
      world: { ...stage.released, volume: stage.recorded(taken) },
      tells: 'reject VolumeTaken',
      saying: 'test/thief',
    },
    {
      situation: 'a target that is gone and that the server refuses now',
      world: { ...stage.released, target: undefined, refused },
      tells: 'reject TargetRefused',
    },
    {
      situation: 'a target that was deleted is made anew',
      world: { ...stage.moved, target: undefined },
      write: 'create target',
      next: 'patch volume',
    },
  ]);
});
