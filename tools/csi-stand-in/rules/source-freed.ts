import { resources } from '../../../lib/kubernetes/resources.ts';
import type { Snapshot } from '../kinds.ts';
import { finalizers } from '../names.ts';
import { holds, letGo } from './actions.ts';
import type { Action, World } from './rule.ts';

/** A claim is only held while snapshots of it are being taken. */
export function sourceFreed(world: World, snapshot: Snapshot, isReleased: boolean): Action[] {
  const { persistentVolumeClaimName: name } = snapshot.spec.source;
  const { namespace } = snapshot.metadata;
  const claim = name === undefined ? undefined : world.get(resources.claim, namespace, name);
  if (!claim || !holds(claim, finalizers.snapshotted)) return [];
  const isUsed = world.all(resources.snapshot, namespace).some(({ metadata, spec, status }) => {
    if (isReleased && metadata.name === snapshot.metadata.name) return false;
    return spec.source.persistentVolumeClaimName === name && !status?.readyToUse;
  });
  return isUsed ? [] : [letGo(claim, finalizers.snapshotted)];
}
