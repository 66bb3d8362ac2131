import type { Claim, Volume } from '../../../lib/kubernetes/objects.ts';
import { displayName, resources } from '../../../lib/kubernetes/resources.ts';
import { type Content, contentResource, handleOf, type Snapshot, type VolumeSnapshotClass } from '../kinds.ts';
import { annotations, finalizers, reporters } from '../names.ts';
import { create, held, holds, noted } from './actions.ts';
import type { Action, Step, World } from './rule.ts';
import { secretNamed } from './secrets.ts';
import { failed } from './snapshot-status.ts';

/** Creates the content for a snapshot of a claim; the sidecar of the class's driver does the rest. */
export function take(world: World, snapshot: Snapshot, snapshotClass: VolumeSnapshotClass): Step {
  const { persistentVolumeClaimName: claimName = '' } = snapshot.spec.source;
  const refuse = (why: string, ...before: Action[]): Step => {
    const message = `The snapshot cannot be taken: ${why}`;
    const { actions } = failed(world, snapshot, { reason: 'SnapshotContentCreationFailed', message });
    return { actions: [...before, ...actions], again: true };
  };
  const claim = world.get(resources.claim, snapshot.metadata.namespace, claimName);
  if (!claim) return refuse(`claim ${claimName} is not there`);
  const isHeld = holds(claim, finalizers.snapshotted);
  if (!isHeld && claim.metadata.deletionTimestamp) return refuse(`claim ${claimName} is being deleted`);
  const protect = isHeld ? [] : [held(claim, finalizers.snapshotted)];
  if (claim.status?.phase !== 'Bound') return refuse(`claim ${claimName} is not bound`, ...protect);
  const volume = world.get(resources.volume, undefined, claim.spec.volumeName ?? '');
  if (!volume || !isOf(volume, claim)) return refuse(`claim ${claimName} is not bound to its volume`, ...protect);
  const handle = handleOf(volume);
  if (!handle) return refuse(`volume ${volume.metadata.name} is not that of a CSI driver`, ...protect);
  try {
    const content = contentFor(snapshot, snapshotClass, volume, handle);
    const note = `Snapshot ${displayName(snapshot.metadata)} is being taken by its driver`;
    return { actions: [...protect, create(content), noted(snapshot, reporters.controller, 'CreatingSnapshot', note)] };
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error), ...protect);
  }
}

function isOf({ spec }: Volume, { metadata }: Claim): boolean {
  const { namespace, name, uid } = spec.claimRef ?? {};
  return namespace === metadata.namespace && name === metadata.name && (!uid || uid === metadata.uid);
}

function contentFor(
  snapshot: Snapshot,
  snapshotClass: VolumeSnapshotClass,
  volume: Volume,
  volumeHandle: string,
): Content {
  const { namespace, name: snapshotName, uid, resourceVersion } = snapshot.metadata;
  const name = dynamicContentName(snapshot);
  const secret = secretNamed(snapshotClass, 'snapshotter', name, snapshot);
  const marks = secret && {
    [annotations.secretName]: secret.name,
    [annotations.secretNamespace]: secret.namespace,
  };
  const { apiVersion, kind } = snapshot;
  const ref = { apiVersion, kind, namespace, name: snapshotName, uid, resourceVersion };
  return {
    apiVersion: contentResource.apiVersion,
    kind: contentResource.kind,
    metadata: { name, ...(marks ? { annotations: marks } : {}) },
    spec: {
      // It is not checked if that is the volume's own driver: another one will not find the volume.
      driver: snapshotClass.driver,
      deletionPolicy: snapshotClass.deletionPolicy,
      source: { volumeHandle },
      volumeSnapshotClassName: snapshotClass.metadata.name,
      volumeSnapshotRef: ref as Content['spec']['volumeSnapshotRef'],
      ...(volume.spec.volumeMode ? { sourceVolumeMode: volume.spec.volumeMode } : {}),
    },
  };
}

export function dynamicContentName({ metadata }: Snapshot): string {
  return `snapcontent-${metadata.uid}`;
}
