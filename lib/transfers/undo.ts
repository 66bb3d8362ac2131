import type { Decision } from '../reconcile/step.ts';
import { type Course, patch, remove } from './course.ts';
import { dropFence, fenceOf, markUndoing, recordOf, removeRecord } from './marks.ts';
import { isTargetOf } from './target.ts';
import type { TransferWorld } from './world.ts';

/**
 * Takes back everything before the point of no return. The first write changes the source claim, so that the deletion of
 * it, if another worker is about to make it, is refused: either the deletion comes first and the transfer is finished,
 * or this comes first and there is no deletion any more.
 */
export function undo(world: TransferWorld, course: Course | undefined): Decision {
  const { source, target, volume } = world;
  const fence = fenceOf(source);
  if (source && fence && !fence.undoing) return patch('source', source, markUndoing);
  const record = recordOf(volume);
  const ours = course && volume && target && isTargetOf(target, course, volume);
  if (ours && !target.metadata.deletionTimestamp && volume.spec.claimRef?.uid !== target.metadata.uid) {
    return remove('target', target);
  }
  if (volume && record) return patch('volume', volume, removeRecord(record));
  if (source && fence) return patch('source', source, dropFence(source));
  return { do: 'done', reason: 'RolledBack' };
}
