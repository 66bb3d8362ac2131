import type { Claim, StorageClass } from '../../../../kubernetes/objects.ts';
import { formatIdentity, identityOf } from '../../../../kubernetes/places.ts';
import { amountOf } from '../../../../kubernetes/quantity.ts';
import { displayName } from '../../../../kubernetes/resources.ts';
import { classOf } from '../../../../kubernetes/storage-class.ts';
import { reject, waitFor } from '../../../../reconcile/obstacle.ts';
import { createAnew } from '../../advice.ts';
import { handleOf, selectedNode } from '../../copies.ts';
import { snapshotAnnotation } from '../../names.ts';
import type { VolumeSnapshot, VolumeSnapshotContent } from '../../objects.ts';
import type { DataObstacle } from '../../reasons.ts';
import type { PopulatingWorld } from './world.ts';

const volumeModeChange = 'snapshot.storage.kubernetes.io/allow-volume-mode-change';

export interface Sound {
  snapshot: VolumeSnapshot;
  content: VolumeSnapshotContent;
}

/**
 * The snapshot as a provisioner would accept it, or the reason why it would not: the checks are those for a snapshot in
 * the claim's own namespace.
 */
export function checkSnapshot(world: PopulatingWorld): Sound | DataObstacle {
  const { wanted, snapshot, content } = world;
  const name = `VolumeSnapshot ${displayName(wanted ?? { name: '' })}`;
  if (!snapshot || snapshot.metadata.deletionTimestamp) {
    const what = snapshot ? 'is being deleted' : 'does not exist (yet)';
    return waitFor('SnapshotMissing', `${name} ${what}: it is checked again when it exists`);
  }
  const { error, boundVolumeSnapshotContentName: bound } = snapshot.status ?? {};
  const because = error?.message ? `: ${error.message}` : '';
  if (!bound || !content) return waitFor('SnapshotNotReady', `${name} is not bound to a content${because}`);
  if (!isBoundTo(content, snapshot)) {
    const message = `${name} and its content ${bound} do not name each other: only a snapshot that its content names is used`;
    return reject('SnapshotNotBound', message);
  }
  if (!snapshot.status?.readyToUse || !handleOf(content)) {
    return waitFor('SnapshotNotReady', `${name} is not ready to use${because}`);
  }
  return { snapshot, content };
}

/** True if the present copies are of this very snapshot; a link or a name may refer to another one by now. */
export function isCopyOf(copy: VolumeSnapshotContent, { snapshot, content }: Sound): boolean {
  const isSame = copy.metadata.annotations?.[snapshotAnnotation] === formatIdentity(identityOf(snapshot));
  return isSame && copy.spec.source.snapshotHandle === handleOf(content);
}

/** The reason why this claim cannot get a volume from that snapshot. */
export function claimObstacle(world: PopulatingWorld, claim: Claim, sound: Sound): DataObstacle | undefined {
  return classObstacle(world, claim, sound) ?? fitObstacle(claim, sound) ?? nodeObstacle(world, claim);
}

function classObstacle({ storageClass }: PopulatingWorld, claim: Claim, { content }: Sound): DataObstacle | undefined {
  const name = classOf(claim);
  if (!name) {
    const message = `the claim has no storage class, so no volume is provisioned for it: ${createAnew(`with a class of driver ${content.spec.driver}`)}`;
    // A default class that is created later is set on claims that name no class.
    return (claim.spec.storageClassName === undefined ? waitFor : reject)('StorageClassMissing', message);
  }
  if (!storageClass) {
    return waitFor('StorageClassMissing', `there is no StorageClass ${name} (yet)`);
  }
  if (storageClass.provisioner !== content.spec.driver) {
    const message = `the snapshot is of driver ${content.spec.driver}, but StorageClass ${name} is of ${storageClass.provisioner}: ${createAnew("with a class of the snapshot's driver")}`;
    return reject('OtherDriver', message);
  }
  return secretsObstacle(storageClass);
}

/** A volume keeps the names of its Secrets for ever: names that contain the claim's would contain the prime claim's. */
function secretsObstacle({ metadata, parameters = {} }: StorageClass): DataObstacle | undefined {
  const found = Object.entries(parameters).find(([name, value]) => /secret/i.test(name) && value.includes('${pvc.'));
  if (!found) return undefined;
  const message = `StorageClass ${metadata.name} names Secrets after the claim (parameter ${found[0]}), but the volume is created for a different claim first: ${createAnew('with a class of the same driver whose Secrets have fixed names')}`;
  return reject('SecretsNamedAfterClaim', message);
}

/** Drivers that cannot list snapshots report no size for a copy, so the original's size is used. */
function fitObstacle(claim: Claim, { snapshot, content }: Sound): DataObstacle | undefined {
  const { volumeMode = 'Filesystem' } = claim.spec;
  const { storage } = claim.spec.resources?.requests ?? {};
  const needed = Math.max(amountOf(snapshot.status?.restoreSize) ?? 0, content.status?.restoreSize ?? 0);
  if ((amountOf(storage) ?? 0) < needed) {
    const { restoreSize = '' } = snapshot.status ?? {};
    const size = amountOf(restoreSize) === needed ? restoreSize : needed;
    const message = `the claim requests ${storage ?? 'nothing'}, but the snapshot needs ${size}: ${createAnew('with at least that')}`;
    return reject('ClaimTooSmall', message);
  }
  const { sourceVolumeMode = volumeMode } = content.spec;
  if (sourceVolumeMode === volumeMode || content.metadata.annotations?.[volumeModeChange] === 'true') return undefined;
  const message = `the snapshot is of a volume of mode ${sourceVolumeMode}, but the claim requests ${volumeMode}: ${createAnew('with the same mode')}, or ask an administrator to annotate VolumeSnapshotContent ${content.metadata.name} with ${volumeModeChange}=true`;
  return reject('OtherVolumeMode', message);
}

function nodeObstacle({ storageClass }: PopulatingWorld, claim: Claim): DataObstacle | undefined {
  if (storageClass?.volumeBindingMode !== 'WaitForFirstConsumer') return undefined;
  if (claim.metadata.annotations?.[selectedNode]) return undefined;
  const message = `StorageClass ${storageClass.metadata.name} waits for the first consumer: the claim is populated when a pod that uses it is assigned to a node`;
  return waitFor('AwaitingConsumer', message);
}

function isBoundTo({ spec }: VolumeSnapshotContent, { metadata }: VolumeSnapshot): boolean {
  const { namespace, name, uid } = spec.volumeSnapshotRef;
  return namespace === metadata.namespace && name === metadata.name && uid === metadata.uid;
}
