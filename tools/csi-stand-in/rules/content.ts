import { resources } from '../../../lib/kubernetes/resources.ts';
import type { Content } from '../kinds.ts';
import { annotations, finalizers } from '../names.ts';
import { annotated, held, holds } from './actions.ts';
import { nothing, type Step, type World } from './rule.ts';

/** The snapshot controller's rule for a content. */
export function keepContent(world: World, content: Content): Step {
  const { uid, namespace, name = '' } = content.spec.volumeSnapshotRef;
  // It is reserved, and its snapshot binds it.
  if (!uid) return nothing;
  if (!content.metadata.deletionTimestamp && !holds(content, finalizers.content)) {
    return { actions: [held(content, finalizers.content)] };
  }
  const snapshot = world.get(resources.snapshot, namespace, name);
  // A content whose snapshot is gone stays: it may have been copied from another cluster.
  if (snapshot?.metadata.uid !== uid || !snapshot.metadata.deletionTimestamp) return nothing;
  const isProtected = [finalizers.source, finalizers.bound].some((finalizer) => holds(snapshot, finalizer));
  if (!isProtected || annotations.beingDeleted in (content.metadata.annotations ?? {})) return nothing;
  return { actions: [annotated(content, annotations.beingDeleted, 'yes')] };
}
