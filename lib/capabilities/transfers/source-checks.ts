import type { Claim, Pod, Volume } from '../../kubernetes/objects.ts';
import { placeOf } from '../../kubernetes/places.ts';
import { displayName } from '../../kubernetes/resources.ts';
import { reject, waitFor } from '../../reconcile/obstacle.ts';
import type { StagedObstacle } from './reasons.ts';

const quickReleaseMs = 5_000;

const finalizersOfWorkInProgress: Record<string, string> = {
  'provisioner.storage.kubernetes.io/cloning-protection': 'a clone of it is being made',
  'snapshot.storage.kubernetes.io/pvc-as-source-protection': 'a snapshot of it is being taken',
};

/** The reason why a claim cannot be moved, by either kind of transfer. */
export function claimObstacle(claim: Claim): StagedObstacle | undefined {
  const name = displayName(placeOf(claim));
  if (claim.status?.phase === 'Lost') {
    return reject('SourceLost', `claim ${name} has lost its volume: there is nothing to move`);
  }
  if (claim.status?.phase !== 'Bound' && claim.spec.volumeName) {
    const message = `claim ${name} names volume ${claim.spec.volumeName} but is not bound to it, and cannot be while that volume does not exist or names another claim. The transfer continues when the claim is bound`;
    return waitFor('SourceNotBound', message);
  }
  if (!claim.spec.volumeName || claim.status?.phase !== 'Bound') {
    const message = `claim ${name} is not bound to a volume yet. The transfer continues when it is. With WaitForFirstConsumer, a pod has to use the claim first`;
    return waitFor('SourceNotBound', message);
  }
  const work = claim.metadata.finalizers?.map((finalizer) => finalizersOfWorkInProgress[finalizer]).find(Boolean);
  return work ? waitFor('SourceBusy', `claim ${name} cannot be moved now because ${work}`) : undefined;
}

/** The reason why the volume of a claim cannot be moved to a namespace, by either kind of transfer. */
export function volumeObstacle(claim: Claim, volume: Volume | undefined, target: string): StagedObstacle | undefined {
  const name = claim.spec.volumeName;
  if (!volume) return waitFor('VolumeMissing', `volume ${name} of the source claim does not exist`);
  if (volume.spec.claimRef?.uid !== claim.metadata.uid) {
    return waitFor('VolumeNotBound', `volume ${name} is not bound to claim ${displayName(placeOf(claim))}`);
  }
  if (volume.metadata.deletionTimestamp) {
    return reject(
      'VolumeDeleting',
      `volume ${name} is being deleted, and disappears with its claim: it cannot be moved`,
    );
  }
  const { namespace } = claim.metadata;
  if (target !== namespace && hasSecretsOf(namespace, volume)) {
    const message = `volume ${name} refers to Secrets in namespace ${namespace}, and a volume's references to Secrets cannot be changed: copy the data instead`;
    return reject('SecretsInSourceNamespace', message);
  }
  return changeInProgress(claim, volume);
}

/** A change by the driver on behalf of this claim, which it could not finish on behalf of another. */
export function changeInProgress({ status, spec }: Claim, volume: Volume): StagedObstacle | undefined {
  const name = volume.metadata.name;
  const types = status?.conditions?.filter((condition) => condition.status === 'True').map(({ type }) => type) ?? [];
  const resizing = ['Resizing', 'FileSystemResizePending'].some((type) => types.includes(type));
  if (resizing || status?.allocatedResourceStatuses?.storage) {
    const message = `volume ${name} is being resized to ${spec.resources?.requests?.storage}; the transfer continues when that is done`;
    return waitFor('VolumeResizing', message);
  }
  if (types.includes('ModifyingVolume') || status?.modifyVolumeStatus) {
    const message = `volume ${name} is being changed to attributes class ${spec.volumeAttributesClassName || 'none'}; the transfer continues when that is done`;
    return waitFor('VolumeModifying', message);
  }
  return undefined;
}

/**
 * A volume's secret references cannot be changed; after a move they would still point into the old namespace. Each kind
 * of volume has its own field names for them, with the same ending. Most default to the claim's own namespace.
 */
function hasSecretsOf(namespace: string | undefined, { spec }: Volume): boolean {
  const { azureFile, ...parts } = spec as Record<string, Record<string, unknown> | undefined>;
  const ofAzure = azureFile && (azureFile.secretNamespace || namespace) === namespace;
  const references = Object.values(parts)
    .flatMap((part) => Object.entries(typeof part === 'object' && part !== null ? part : {}))
    .filter(([field]) => /secretRef$/i.test(field))
    .flatMap(([, reference]) => (reference as { name?: string; namespace?: string } | null) ?? []);
  const isThere = references.some((reference) => reference.name && (reference.namespace || namespace) === namespace);
  return ofAzure === true || isThere;
}

/** The reason why a deleted claim still exists. */
export function heldObstacle(claim: Claim, finalizers: string[], pods: Pod[]): StagedObstacle {
  const names = pods.map(({ metadata }) => metadata.name).join(', ');
  const users = pods.length > 0 ? ` (scale down any workload that recreates them): ${names}` : '';
  const message = `claim ${displayName(placeOf(claim))} is being deleted, but is still held by ${finalizers.join(', ')}. The volume moves when the claim is released, usually when all pods that use it have been deleted${users}`;
  return waitFor('SourceHeld', message);
}

/** The cluster releases an unused claim within moments; only a longer wait is worth reporting. */
export function isJustDeleted({ metadata }: Claim, now: Date): boolean {
  return now.getTime() - Date.parse(metadata.deletionTimestamp ?? '') < quickReleaseMs;
}
