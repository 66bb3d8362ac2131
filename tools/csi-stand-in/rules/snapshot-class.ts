import { resources } from '../../../lib/kubernetes/resources.ts';
import { driverOf, type Snapshot, snapshotClassResource, type VolumeSnapshotClass } from '../kinds.ts';
import { annotations } from '../names.ts';
import { change } from './actions.ts';
import type { Step, World } from './rule.ts';
import { failed } from './snapshot-status.ts';

export type Classed = { snapshotClass?: VolumeSnapshotClass } | { step: Step };

/** The class of a snapshot, or the step to take before it has one. A snapshot of a static content needs none. */
export function classOf(world: World, snapshot: Snapshot): Classed {
  const { volumeSnapshotClassName: name, source } = snapshot.spec;
  const { deletionTimestamp } = snapshot.metadata;
  if (name !== undefined) {
    const snapshotClass = world.get(snapshotClassResource, undefined, name);
    if (snapshotClass) return { snapshotClass };
    const step = unready(world, snapshot, 'GetSnapshotClassFailed', `Snapshot class ${name} is not there`);
    // A deleted snapshot is handled all the same.
    return deletionTimestamp ? {} : { step };
  }
  if (source.volumeSnapshotContentName !== undefined) return {};
  const driver = driverOfSource(world, snapshot);
  const defaults = world.all(snapshotClassResource).filter(({ metadata, driver: of }) => {
    return metadata.annotations?.[annotations.defaultClass] === 'true' && of === driver;
  });
  const [found] = defaults;
  if (found && defaults.length === 1) {
    return { step: { actions: [change(snapshot, { spec: { volumeSnapshotClassName: found.metadata.name } })] } };
  }
  const why = driver ? `${defaults.length} default snapshot classes are there for ${driver}` : 'the claim is not bound';
  return { step: unready(world, snapshot, 'SetDefaultSnapshotClassFailed', `The snapshot gets no class: ${why}`) };
}

function unready(world: World, snapshot: Snapshot, reason: string, message: string): Step {
  return { ...failed(world, snapshot, { reason, message, isReadyStill: true }), again: true };
}

function driverOfSource(world: World, { metadata, spec }: Snapshot): string | undefined {
  const claim = world.get(resources.claim, metadata.namespace, spec.source.persistentVolumeClaimName ?? '');
  if (claim?.status?.phase !== 'Bound') return undefined;
  const volume = world.get(resources.volume, undefined, claim.spec.volumeName ?? '');
  return volume && driverOf(volume);
}
