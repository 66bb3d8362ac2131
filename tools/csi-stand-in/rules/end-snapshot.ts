import { groupOf, resources } from '../../../lib/kubernetes/resources.ts';
import { type Content, contentResource, type Snapshot } from '../kinds.ts';
import { annotations, finalizers, reporters } from '../names.ts';
import { annotated, holds, letGo, remove, warned } from './actions.ts';
import { pointsAt } from './origin.ts';
import { nothing, type Step, type World } from './rule.ts';
import { sourceFreed } from './source-freed.ts';
import { dynamicContentName } from './take-snapshot.ts';

/** The snapshot controller's rule for a deleted snapshot: its content is deleted first, if the policy says so. */
export function endSnapshot(world: World, snapshot: Snapshot): Step {
  if (![finalizers.source, finalizers.bound].some((finalizer) => holds(snapshot, finalizer))) return nothing;
  const content = boundContent(world, snapshot);
  if (content && isBeingRestored(world, snapshot)) {
    const note = 'A claim is waiting for a volume that is restored from the snapshot';
    return { actions: [warned(snapshot, reporters.controller, 'SnapshotDeletePending', note)], again: true };
  }
  if (content && !(annotations.beingDeleted in (content.metadata.annotations ?? {}))) {
    return { actions: [annotated(content, annotations.beingDeleted, 'yes')] };
  }
  const goesWithIt = content?.spec.deletionPolicy === 'Delete';
  if (content && goesWithIt && !content.metadata.deletionTimestamp) return { actions: [remove(content)] };
  const freed = sourceFreed(world, snapshot, true);
  const removed = goesWithIt ? [finalizers.source] : [finalizers.source, finalizers.bound];
  if (!removed.some((finalizer) => holds(snapshot, finalizer))) return { actions: freed };
  return { actions: [...freed, letGo(snapshot, ...removed)] };
}

function boundContent(world: World, snapshot: Snapshot): Content | undefined {
  const isDynamic = snapshot.spec.source.persistentVolumeClaimName !== undefined;
  const name = snapshot.status?.boundVolumeSnapshotContentName ?? (isDynamic ? dynamicContentName(snapshot) : '');
  const content = name ? world.get(contentResource, undefined, name) : undefined;
  return content && pointsAt(content, snapshot) ? content : undefined;
}

/** Only claims of the same namespace that name it in the older field are considered. */
function isBeingRestored(world: World, { metadata }: Snapshot): boolean {
  return world.all(resources.claim, metadata.namespace).some(({ spec, status }) => {
    const { apiGroup, kind, name } = spec.dataSource ?? {};
    const isNamed = kind === resources.snapshot.kind && apiGroup === groupOf(resources.snapshot);
    return isNamed && name === metadata.name && status?.phase === 'Pending';
  });
}
