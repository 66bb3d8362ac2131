import type { Claim, Volume } from '../../cluster/objects.ts';
import { sameIdentity } from '../../cluster/places.ts';
import { displayName } from '../../cluster/resources.ts';
import type { Decision } from '../../reconcile/step.ts';
import { giveBack, isKeptFor, keepVolume, policyOf } from '../kept-volume.ts';
import { holds, type TransferWorld } from '../world.ts';
import { note, patch, remove, warn } from '../writes.ts';
import { dropFence, isFencedBy, type TransferIdentity } from './claim-marks.ts';
import { isTargetOf, isUnused } from './target.ts';
import { clearUndoing, markUndoing, undoingOf } from './volume-marks.ts';

/**
 * Takes back what was prepared. The first write changes the volume, so that a record that another worker is about to
 * write there is refused: either the record comes first and the transfer is finished, or this comes first and there is
 * no record any more. The mark goes last, so that a rollback that breaks off is found again.
 */
export function undo(world: TransferWorld, transfer: TransferIdentity, volume: Volume): Decision {
  const { source, target } = world;
  const marked = undoingOf(volume);
  if (!marked || !sameIdentity(marked, transfer)) return patch('volume', volume, markUndoing(transfer));
  const isOurs = source !== undefined && holds(source, volume) && isFencedBy(source, transfer);
  if (isOurs && source.metadata.deletionTimestamp && !isKeptFor(source, volume)) return keep(source, volume);
  if (target && isTargetOf(target, transfer, volume) && isUnused(target)) return remove('target', target);
  // As long as it is fenced it cannot go without our seeing it: only then the volume gets a policy back that may end it.
  if (isOurs && !source.metadata.deletionTimestamp && isKeptFor(source, volume)) {
    return patch('volume', volume, giveBack(source, volume));
  }
  if (isOurs) {
    const message = `is no longer moved: the transfer that request ${displayName(transfer)} began is off`;
    return patch('source', source, dropFence(source), { announce: [note(source, 'RolledBack', message)] });
  }
  return patch('volume', volume, clearUndoing);
}

/** Its owner has deleted the claim, perhaps because it was being moved: then its data must not go with it. */
function keep(source: Claim, volume: Volume): Decision {
  const message = `claim ${displayName(source.metadata)} was deleted while it was being moved, and is not moved any more: volume ${volume.metadata.name} is kept (its policy was ${policyOf(source, volume)}), and an administrator decides about it`;
  const announce = [volume, source].map((regarding) => warn(regarding, 'TransferWithdrawn', message));
  return patch('volume', volume, keepVolume(source, volume), { announce });
}
