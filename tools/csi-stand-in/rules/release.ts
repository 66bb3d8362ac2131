import type { Claim, Volume } from '../../../lib/kubernetes/objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { driverOf, handleOf } from '../kinds.ts';
import { annotations, finalizers } from '../names.ts';
import { held, holds, letGo, onDisk, remove } from './actions.ts';
import { type Driver, later, nothing, type Step, type World } from './rule.ts';

/** The external provisioner's rule for a volume: it holds volumes that are to be deleted, and deletes released ones. */
export function release(driver: Driver, _world: World, volume: Volume): Step {
  const { name } = driver.options;
  if ((volume.metadata.annotations?.[annotations.provisionedBy] ?? driverOf(volume)) !== name) return nothing;
  const { deletionTimestamp } = volume.metadata;
  const isHeld = holds(volume, finalizers.volume);
  const isDeleted = volume.spec.persistentVolumeReclaimPolicy === 'Delete';
  if (!isDeleted) return isHeld ? { actions: [letGo(volume, finalizers.volume)] } : nothing;
  if (!isHeld && !deletionTimestamp && volume.status?.phase === 'Bound') {
    return { actions: [held(volume, finalizers.volume)] };
  }
  if (volume.status?.phase !== 'Released' || (deletionTimestamp && !isHeld)) return nothing;
  const handle = handleOf(volume) ?? '';
  const wiped = onDisk(name, (disk) => disk.deleteVolume(handle));
  return { actions: [wiped, deletionTimestamp ? letGo(volume, finalizers.volume) : remove(volume)] };
}

/** A deleted claim is released once no claim that waits for a volume is cloned from it. */
export function endCloning(world: World, claim: Claim): Step {
  if (!claim.metadata.deletionTimestamp || !holds(claim, finalizers.cloning)) return nothing;
  const isCloned = world.all(resources.claim, claim.metadata.namespace).some(({ spec, status }) => {
    const { kind, name } = spec.dataSource ?? {};
    return kind === resources.claim.kind && name === claim.metadata.name && status?.phase === 'Pending';
  });
  return isCloned ? later : { actions: [letGo(claim, finalizers.cloning)] };
}
