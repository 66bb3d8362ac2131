import type { Volume } from '../cluster/objects.ts';
import { nameOf, resources } from '../cluster/resources.ts';
import { type Decision, preconditionsOf, type Write } from '../reconcile/step.ts';
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
  if (volume && isUnsure(world)) return { do: 'write', write: confirm(volume) };
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

/**
 * That there is no record must not be an old answer: it is what tells a claim that its user deleted from one that we
 * deleted ourselves, and going back then would lose the data.
 */
function isUnsure({ volume, confirmed }: TransferWorld): boolean {
  return !recordOf(volume) && confirmed?.metadata.resourceVersion !== volume?.metadata.resourceVersion;
}

/** A patch that changes nothing: the server refuses it when what we read is not the present state. */
function confirm(volume: Volume): Write {
  const object = nameOf(resources.volume, undefined, volume.metadata.name);
  return { verb: 'patch', slot: 'confirmed', object, body: {}, preconditions: preconditionsOf(volume) };
}
