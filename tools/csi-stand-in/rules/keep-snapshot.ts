import { type Content, contentResource, type Snapshot } from '../kinds.ts';
import { finalizers, reporters } from '../names.ts';
import { change, held, holds, warned } from './actions.ts';
import { endSnapshot } from './end-snapshot.ts';
import { pointsAt } from './origin.ts';
import { nothing, type Step, type World } from './rule.ts';
import { classOf } from './snapshot-class.ts';
import { failed, followed } from './snapshot-status.ts';
import { sourceFreed } from './source-freed.ts';
import { dynamicContentName, take } from './take-snapshot.ts';

const missing = { reason: 'SnapshotContentMissing', message: 'The content is not there' };

/** The snapshot controller's rule for a snapshot. */
export function keepSnapshot(world: World, snapshot: Snapshot): Step {
  const classed = classOf(world, snapshot);
  if ('step' in classed) return classed.step;
  const freed = sourceFreed(world, snapshot, false);
  if (freed.length > 0) return { actions: freed };
  if (snapshot.metadata.deletionTimestamp) return endSnapshot(world, snapshot);
  const found = contentOf(world, snapshot);
  if ('step' in found) return found.step;
  const { content } = found;
  const isBound = Boolean(snapshot.status?.boundVolumeSnapshotContentName);
  const lacking = [
    ...(holds(snapshot, finalizers.source) ? [] : [finalizers.source]),
    ...(isBound && content?.spec.deletionPolicy === 'Delete' && !holds(snapshot, finalizers.bound)
      ? [finalizers.bound]
      : []),
  ];
  if (lacking.length > 0) return { actions: [held(snapshot, ...lacking)] };
  if (isBound && snapshot.status?.readyToUse) return checkReady(world, snapshot);
  if (snapshot.spec.source.volumeSnapshotContentName !== undefined) return bindStatic(world, snapshot, content);
  if (content) return followed(snapshot, content);
  return classed.snapshotClass ? take(world, snapshot, classed.snapshotClass) : nothing;
}

/** The content that a snapshot names, or that was created for it; an error if it is not this snapshot's. */
function contentOf(world: World, snapshot: Snapshot): { content: Content | undefined } | { step: Step } {
  const isStatic = snapshot.spec.source.volumeSnapshotContentName !== undefined;
  const name = snapshot.spec.source.volumeSnapshotContentName ?? dynamicContentName(snapshot);
  const content = world.get(contentResource, undefined, name);
  if (!content) return { content };
  const refused = (reason: string, message: string) => {
    const { actions } = failed(world, snapshot, { reason, message });
    // The real one finds out when it is about to protect the snapshot, and reports that too.
    const unprotected = warned(
      snapshot,
      reporters.controller,
      'SnapshotFinalizerError',
      `It is not protected: ${message}`,
    );
    return { step: { actions: [...actions, unprotected], again: true } };
  };
  if (isStatic !== (content.spec.source.snapshotHandle !== undefined)) {
    return refused('SnapshotContentMismatch', `Content ${name} is ${isStatic ? 'not ' : ''}a static one`);
  }
  const { uid, ...place } = content.spec.volumeSnapshotRef;
  const { metadata } = snapshot;
  const isItsPlace = place.name === metadata.name && place.namespace === metadata.namespace;
  if (isItsPlace && (uid === metadata.uid || (isStatic && !uid))) return { content };
  return refused('SnapshotContentMisbound', `Content ${name} is that of another snapshot`);
}

function bindStatic(world: World, snapshot: Snapshot, content: Content | undefined): Step {
  if (!content) return { ...failed(world, snapshot, missing), again: true };
  const { volumeSnapshotClassName: className } = snapshot.spec;
  const { volumeSnapshotRef: ref, volumeSnapshotClassName: present } = content.spec;
  const isBound = ref.uid === snapshot.metadata.uid;
  if (isBound && (present !== undefined || className === undefined)) return followed(snapshot, content);
  const named = className === undefined ? {} : { volumeSnapshotClassName: className };
  return { actions: [change(content, { spec: { volumeSnapshotRef: { uid: snapshot.metadata.uid }, ...named } })] };
}

function checkReady(world: World, snapshot: Snapshot): Step {
  const name = snapshot.status?.boundVolumeSnapshotContentName ?? '';
  const content = world.get(contentResource, undefined, name);
  if (!content) return failed(world, snapshot, missing);
  if (pointsAt(content, snapshot)) return nothing;
  return failed(world, snapshot, { reason: 'SnapshotMisbound', message: `Content ${name} is bound otherwise` });
}
