import type { Volume } from '../../cluster/objects.ts';
import { displayName } from '../../cluster/resources.ts';
import type { Decision } from '../../reconcile/step.ts';
import { sameIdentity } from '../places.ts';
import { holds, type TransferWorld } from '../world.ts';
import { note, patch, remove } from '../writes.ts';
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
  if (target && isTargetOf(target, transfer, volume) && isUnused(target)) return remove('target', target);
  if (source && holds(source, volume) && isFencedBy(source, transfer))
    return patch('source', source, dropFence(source), {
      announce: [
        note(source, 'RolledBack', `stays here: the transfer that request ${displayName(transfer)} began is off`),
      ],
    });
  return patch('volume', volume, clearUndoing);
}
