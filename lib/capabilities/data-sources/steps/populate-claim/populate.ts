import type { Claim } from '../../../../kubernetes/objects.ts';
import { displayName } from '../../../../kubernetes/resources.ts';
import { reject, waitFor } from '../../../../reconcile/obstacle.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { tooOld } from '../../../../reconcile/trust.ts';
import { create, note } from '../../../../reconcile/writes.ts';
import { contentCopyFor, primeFor, snapshotCopyFor } from '../../copies.ts';
import { populatedConditionOf } from '../../populated.ts';
import { changed, giveUp, going } from './abandon.ts';
import { consentObstacle } from './consent.ts';
import { handOver } from './hand-over.ts';
import { hold, isHeld, removeHold } from './hold.ts';
import { contentPart, primePart, snapshotPart } from './parts.ts';
import { awaitVolume } from './prime.ts';
import { blocked } from './report.ts';
import { checkSnapshot, claimObstacle, isCopyOf, type Sound } from './snapshot-checks.ts';
import { areGoing, undo } from './undo.ts';
import type { PopulatingWorld } from './world.ts';

/**
 * A claim that waits: a restore in progress continues as long as all owners consent, and is undone when one no longer
 * does.
 */
export function populate(world: PopulatingWorld, claim: Claim, now: Date): Decision<PopulatingWorld> {
  const { settings, prime } = world;
  // The next attempt might bind another free volume.
  const said = populatedConditionOf(claim);
  if (said?.reason === 'OtherVolumeMatches') {
    return undo(world) ?? removeHold(claim) ?? reject('OtherVolumeMatches', said.message);
  }
  if (settings && !settings.snapshots.isOn) {
    return blocked(world, claim, waitFor('SnapshotsOff', settings.snapshots.reason), now);
  }
  // With a prime claim, less is read than is needed without one.
  if (world.hadPrime && !prime) return { do: 'reread', reason: 'PrimeGone' };
  const obstacle = consentObstacle(world, claim);
  if (obstacle) return giveUp(world, claim, obstacle, now);
  if (prime?.spec.volumeName) return handOver(world, claim, prime, now);
  const sound = checkSnapshot(world);
  if ('reason' in sound) return giveUp(world, claim, sound, now);
  return areGoing(world) ? giveUp(world, claim, going, now) : build(world, claim, sound, now);
}

/** One copy after the other. Nothing is created before the claim is held: its deletion must not be missed. */
function build(world: PopulatingWorld, claim: Claim, sound: Sound, now: Date): Decision<PopulatingWorld> {
  const { contentCopy, snapshotCopy, prime } = world;
  if (areTorn(world)) return giveUp(world, claim, going, now);
  if (contentCopy && !isCopyOf(contentCopy, sound)) return giveUp(world, claim, changed, now);
  if (prime) return isHeld(claim) ? awaitVolume(world, claim, prime, now) : hold(claim);
  const obstacle = claimObstacle(world, claim, sound);
  if (obstacle) return giveUp(world, claim, obstacle, now);
  const unsure = tooOld(world, now);
  if (unsure) return unsure;
  if (!isHeld(claim)) return hold(claim);
  if (!contentCopy) {
    return create(contentPart, contentCopyFor(claim, sound.snapshot, sound.content));
  }
  if (!snapshotCopy) return create(snapshotPart, snapshotCopyFor(claim, contentCopy));
  if (!snapshotCopy.status?.readyToUse) return awaitCopy(world, claim, now);
  const announce = [
    note(claim, 'Populating', `a volume is being created from VolumeSnapshot ${displayName(sound.snapshot.metadata)}`),
  ];
  return create(primePart, primeFor(claim, contentCopy), { announce });
}

/**
 * Some copies were removed, by an interrupted worker or by hand, and the others are left: a snapshot of the same name
 * is never bound to a content that has had another one, and a prime claim without both gets no volume.
 */
function areTorn({ contentCopy, snapshotCopy, prime }: PopulatingWorld): boolean {
  if (!contentCopy) return snapshotCopy !== undefined || prime !== undefined;
  const { uid } = contentCopy.spec.volumeSnapshotRef;
  return uid === undefined ? prime !== undefined && !snapshotCopy : uid !== snapshotCopy?.metadata.uid;
}

/** The snapshot controller takes a moment; its error for the copy is the one that it would report for the original. */
function awaitCopy(world: PopulatingWorld, claim: Claim, now: Date): Decision<PopulatingWorld> {
  const text = world.snapshotCopy?.status?.error?.message;
  const message = text ?? 'the snapshot controller is processing the copy of the snapshot';
  const waiting = waitFor('CopyNotReady', message);
  return text ? blocked(world, claim, waiting, now) : waiting;
}
