import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import { placeOf } from '../../../kubernetes/places.ts';
import { displayName } from '../../../kubernetes/resources.ts';
import type { Decision } from '../../../reconcile/step.ts';
import { restoreTo } from '../by-annotation/restore.ts';
import { offerOn, writeOffer } from '../by-annotation/volume-marks.ts';
import { isGoing } from '../by-annotation/withdraw.ts';
import { withMark } from '../kept-label.ts';
import { giveBack, isKeptFor, keepVolume, keptOn, policyOf } from '../kept-volume.ts';
import { holds } from '../read.ts';
import type { TransferWorld } from '../world.ts';
import { isGivenUp, isHeldUp, note, patch, remove, warn } from '../writes.ts';
import { fencedFor, isFencedBy, leaveFence, removeFence, type TransferIdentity } from './claim-marks.ts';
import { isTargetOf, isUnused } from './target.ts';
import { clearUndoing, isUndoing, markUndoing } from './volume-marks.ts';

/**
 * Rolls back what was prepared. The first write changes the volume, so that another worker's write of a record there is
 * refused: either the record comes first and the transfer is finished, or this comes first and there is no record any
 * more. The mark is removed last, so that an interrupted rollback is found again.
 */
export function undo(
  world: TransferWorld,
  transfer: TransferIdentity,
  volume: Volume,
  now: Date,
): Decision<TransferWorld> {
  const { source, target } = world;
  if (!isUndoing(volume, transfer)) {
    const place = target ? placeOf(target) : fencedFor(source);
    return patch('volume', volume, markUndoing(transfer, place));
  }
  const isOurs = source !== undefined && holds(source, volume) && isFencedBy(source, transfer);
  const keeping = isOurs && source.metadata.deletionTimestamp ? keep(world, source, volume) : undefined;
  if (keeping) return keeping;
  const isLeft = target !== undefined && isTargetOf(target, transfer, volume) && isUnused(target);
  // A side that keeps changing its own objects does not prevent the release of the source: there can be no record any
  // more.
  if (isLeft && !isHeldUp(world, 'target')) return remove('target', target);
  // While the claim is fenced it cannot disappear unseen: only then may the volume get a policy back by which it may be
  // deleted.
  if (isOurs && !source.metadata.deletionTimestamp && isKeptFor(source, volume)) {
    return patch('volume', volume, giveBack(source, volume));
  }
  if (isOurs && offerOn(volume)) return patch('source', source, leaveFence);
  if (isOurs) {
    const message = `is no longer being moved: the transfer of request ${displayName(transfer)} has been rolled back`;
    return patch('source', source, removeFence(source), { announce: [note(source, 'RolledBack', message)] });
  }
  // Without the mark the target counts as an orphan, and the volume is not occupied for as long as someone keeps
  // changing the target.
  if (isLeft && !isGivenUp(world, 'target')) return remove('target', target);
  return restored(world, volume, now) ?? patch('volume', volume, clearUndoing);
}

/**
 * The claim has been deleted, perhaps because it was being moved: its data must not be lost with it. It stays with its
 * volume like an offered one, until its owner offers it to another claim. Only a namespace that is being deleted does
 * not wait.
 */
function keep(world: TransferWorld, source: Claim, volume: Volume): Decision<TransferWorld> | undefined {
  if (offerOn(volume)) return undefined;
  if (!isGoing(world)) return leave(world, source, volume);
  if (isKeptFor(source, volume)) return undefined;
  const message = `claim ${displayName(source.metadata)} was deleted while it was being moved, and is no longer being moved. Volume ${volume.metadata.name} is kept (its reclaim policy was ${policyOf(source, volume)}) until an administrator decides what to do with it`;
  const announce = [volume, source].map((regarding) => warn(regarding, 'TransferWithdrawn', message));
  return patch('volume', volume, keepVolume(source, volume), { announce });
}

/** As an offer without a recipient. If the request ended the transfer, that has been reported already. */
function leave({ sourceNamespace }: TransferWorld, source: Claim, volume: Volume): Decision<TransferWorld> {
  const namespaces = { sourceNamespace, targetNamespace: undefined };
  const body = withMark('by-deleted-claim', writeOffer(source, placeOf(source), volume, namespaces));
  const message = `claim ${displayName(source.metadata)} was deleted while it was being moved, and is no longer being moved. It stays with volume ${volume.metadata.name}, which its owner can offer to another claim`;
  const announce = isKeptFor(source, volume) ? [] : [warn(volume, 'TransferWithdrawn', message)];
  return patch('volume', volume, body, { announce });
}

/** If the claim itself is gone, users of its namespace can get the volume with another claim of its name. */
function restored(world: TransferWorld, volume: Volume, now: Date): Decision<TransferWorld> | undefined {
  const kept = keptOn(volume);
  const { sourceNamespace, source, target } = world;
  const isTaken = [source, target].some((claim) => holds(claim, volume)) || !volume.spec.claimRef?.uid;
  if (!kept || isTaken || isGoing(world) || sourceNamespace?.metadata.uid !== kept.home.uid) return undefined;
  return restoreTo(kept, volume, now);
}
