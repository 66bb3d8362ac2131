import { describe } from '@jest/globals';
import { protection } from '../../../../../support/builders.ts';
import * as stage from '../../populate-stages.ts';
import { successes, testTable } from '../../populate-table.ts';

const { bound, handed, now, populated, primeBound, snapshotCopy, stages } = stage;
const done = stage.said('True', 'Populated', 'restored from VolumeSnapshot prod/backup');
const told = populated({ claim: bound([done]) });

describe('a claim gets the data of a snapshot, one write after the other:', () => {
  testTable([
    {
      situation: 'it is held before anything is made',
      world: stages.asked,
      write: 'patch claim',
      exactly: { metadata: { finalizers: [protection, stage.hold] } },
      next: 'create contentCopy',
    },
    {
      situation: 'the content is copied, and keeps the snapshot in the store when it goes',
      world: stages.held,
      write: 'create contentCopy',
      exactly: stage.contentCopyAsMade,
      next: 'create snapshotCopy',
    },
    {
      situation: 'a snapshot stands for it in our own namespace',
      world: stages.contentMade,
      write: 'create snapshotCopy',
      exactly: stage.snapshotCopyAsMade,
      next: 'wait CopyNotReady',
    },
    {
      situation: 'no prime claim is made before the snapshot controller has looked at the copy',
      world: stages.snapshotMade,
      answer: 'wait CopyNotReady',
    },
    {
      situation: 'nor while that is not ready',
      world: { ...stages.snapshotReady, snapshotCopy: snapshotCopy({ readyToUse: false }) },
      answer: 'wait CopyNotReady',
    },
    {
      situation: 'then the prime claim is made, held from the beginning',
      world: stages.snapshotReady,
      write: 'create prime',
      exactly: stage.primeAsMade,
      event: 'Normal Populating',
      next: 'wait Populating',
    },
    { situation: 'the provisioner takes its time', world: stages.primeMade, answer: 'wait Populating' },
    {
      situation: 'the volume has to be bound to the prime claim first',
      world: { ...stages.primeBound, prime: { ...primeBound(), status: { phase: 'Pending' } } },
      answer: 'wait Populating',
    },
    {
      situation: 'in its own words as well',
      world: { ...stages.primeBound, volume: stage.volume({}, {}, 'Pending') },
      answer: 'wait Populating',
    },
    {
      situation: 'the volume is handed over, and says whose it is and what is in it',
      world: stages.primeBound,
      write: 'patch volume',
      exactly: {
        metadata: {
          annotations: { 'pv.kubernetes.io/bound-by-controller': null, ...stage.forClaim, ...stage.ofSnapshot },
        },
        spec: { claimRef: { ...stage.toClaim, resourceVersion: null } },
      },
      next: 'wait ClaimNotBound',
    },
    {
      situation: 'nothing is taken away before the two are bound',
      world: stages.handedOver,
      answer: 'wait ClaimNotBound',
    },
    {
      situation: 'the prime claim is deleted first of what is not needed any more',
      world: told,
      write: 'delete prime',
      next: 'patch prime',
    },
    {
      situation: 'and let go, but not by others',
      world: { ...told, prime: stage.primeGoing() },
      write: 'patch prime',
      exactly: { metadata: { finalizers: [protection] } },
      next: 'delete snapshotCopy',
    },
    {
      situation: 'then the copy of the snapshot',
      world: { ...told, prime: undefined },
      write: 'delete snapshotCopy',
      next: 'delete contentCopy',
    },
    {
      situation: 'then that of its content',
      world: { ...told, prime: undefined, snapshotCopy: undefined },
      write: 'delete contentCopy',
      next: 'patch claim',
    },
    {
      situation: 'the claim is let go last',
      world: { claim: bound([done]), volume: handed(), readAt: now },
      write: 'patch claim',
      exactly: { metadata: { finalizers: [protection] } },
      next: 'done Populated',
    },
    {
      situation: 'at rest',
      world: {
        claim: bound([done], { finalizers: [protection] }),
        volume: handed(),
        readAt: now,
      },
      answer: 'done Populated',
    },
  ]);

  testTable([
    {
      situation: 'that the data is there is said as soon as it is bound, and counted',
      world: populated(),
      says: 'True Populated',
      next: 'done',
      event: 'Normal',
      counts: successes,
      saying: 'prod/backup',
      afterwards: ['delete prime', 'patch prime', 'delete snapshotCopy', 'delete contentCopy', 'patch claim'],
    },
  ]);
});
