import type { Claim, Volume } from '../../lib/kubernetes/objects.ts';
import { nameOf, resources } from '../../lib/kubernetes/resources.ts';
import { type FakeCluster, nameOfObject } from './fake-cluster.ts';
import { findVolumeFor, isReservedFor, mayNameVolume } from './fake-volume-match.ts';

const protection = 'kubernetes.io/pvc-protection';
const bindCompleted = 'pv.kubernetes.io/bind-completed';
const boundByController = 'pv.kubernetes.io/bound-by-controller';
const provisionedBy = 'pv.kubernetes.io/provisioned-by';

/** What the controllers of the cluster do about claims and volumes, one object at a time, whenever they get to it. */
export class FakeVolumeController {
  private readonly cluster: FakeCluster;

  constructor(cluster: FakeCluster) {
    this.cluster = cluster;
  }

  /** Looks at everything once. */
  syncAll(): void {
    for (const claim of this.cluster.all(resources.claim)) this.syncClaim(claim);
    for (const volume of this.cluster.all(resources.volume)) this.syncVolume(volume);
  }

  /** A volume and a claim are bound by one write on each; others may come in between. */
  syncClaim(claim: Claim, stopsHalfway = false): void {
    if (this.releaseUnused(claim)) return;
    if (claim.metadata.annotations?.[bindCompleted]) this.syncBoundClaim(claim);
    else this.syncUnboundClaim(claim, stopsHalfway);
  }

  syncVolume(volume: Volume): void {
    const { claimRef } = volume.spec;
    if (!claimRef?.uid) {
      this.setVolumePhase(volume, 'Available');
      return;
    }
    const found = this.cluster.read(nameOf(resources.claim, claimRef.namespace, claimRef.name ?? ''));
    const claim = found?.metadata.uid === claimRef.uid ? found : undefined;
    if (!claim) this.reclaim(volume);
    else if (claim.spec.volumeName === volume.metadata.name) this.setVolumePhase(volume, 'Bound');
    else if (claim.spec.volumeName) this.giveUp(volume);
  }

  /** A claim that is deleted is protected while a pod uses it. */
  private releaseUnused(claim: Claim): boolean {
    const { finalizers = [], deletionTimestamp, namespace = '', name } = claim.metadata;
    if (!deletionTimestamp || !finalizers.includes(protection) || this.isUsed(namespace, name)) return false;
    const others = finalizers.filter((finalizer) => finalizer !== protection);
    this.cluster.update(nameOfObject(claim), { metadata: { finalizers: others } });
    return true;
  }

  private isUsed(namespace: string, name: string): boolean {
    return this.cluster
      .all(resources.pod, namespace)
      .some((pod) => pod.spec?.volumes?.some((volume) => volume.persistentVolumeClaim?.claimName === name));
  }

  private syncUnboundClaim(claim: Claim, stopsHalfway: boolean): void {
    const { volumeName } = claim.spec;
    const named = volumeName
      ? this.cluster.read(nameOf(resources.volume, undefined, volumeName))
      : findVolumeFor(this.cluster, claim);
    if (!named || (volumeName && !mayNameVolume(claim, named))) return;
    const volume = this.bindVolume(named, claim);
    if (!stopsHalfway) this.bindClaim(claim, volume);
  }

  /** What the controller has brought together by itself it marks, to take it back where that fails. */
  private bindVolume(volume: Volume, claim: Claim): Volume {
    const { namespace = '', name, uid } = claim.metadata;
    const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid };
    const marks = volume.spec.claimRef && isReservedFor(volume, claim) ? {} : { [boundByController]: 'yes' };
    const object = nameOfObject(volume);
    this.cluster.update(object, { metadata: { annotations: marks }, spec: { claimRef } });
    return this.cluster.update(object, { status: { phase: 'Bound' } }, undefined, 'status');
  }

  private bindClaim(claim: Claim, { metadata }: Volume): void {
    const isChosen = claim.spec.volumeName !== metadata.name;
    const annotations = { [bindCompleted]: 'yes', ...(isChosen ? { [boundByController]: 'yes' } : {}) };
    this.cluster.update(nameOfObject(claim), { metadata: { annotations }, spec: { volumeName: metadata.name } });
    this.setClaimPhase(claim, 'Bound');
  }

  /** A volume that names nobody any more is taken again; one that names another claim is lost. */
  private syncBoundClaim(claim: Claim): void {
    const volume = this.cluster.read(nameOf(resources.volume, undefined, claim.spec.volumeName ?? ''));
    if (volume && !volume.spec.claimRef) this.bindVolume(volume, claim);
    const isOurs = volume && (!volume.spec.claimRef || volume.spec.claimRef.uid === claim.metadata.uid);
    this.setClaimPhase(claim, isOurs ? 'Bound' : 'Lost');
  }

  /** Its claim has been bound to another volume. What was made for the claim goes; what an administrator reserved stays so. */
  private giveUp(volume: Volume): void {
    const { annotations = {} } = volume.metadata;
    if (annotations[provisionedBy] && volume.spec.persistentVolumeReclaimPolicy === 'Delete') {
      this.setVolumePhase(volume, 'Released');
      return;
    }
    const claimRef = annotations[boundByController] ? null : { uid: null };
    this.cluster.update(nameOfObject(volume), {
      metadata: { annotations: { [boundByController]: null } },
      spec: { claimRef },
    });
    this.setVolumePhase(volume, 'Available');
  }

  /** A volume of a CSI driver is deleted by the driver's provisioner, and the data with it. */
  private reclaim(volume: Volume): void {
    this.setVolumePhase(volume, 'Released');
    const isOfDriver = volume.spec.csi !== undefined || volume.metadata.annotations?.[provisionedBy] !== undefined;
    // The data goes with the volume: exactly what must never happen to a volume that is being moved.
    if (volume.spec.persistentVolumeReclaimPolicy === 'Delete' && !isOfDriver) {
      this.cluster.delete(nameOfObject(volume)).catch(() => {});
    }
  }

  private setVolumePhase(volume: Volume, phase: string): void {
    this.cluster.update(nameOfObject(volume), { status: { phase } }, undefined, 'status');
  }

  private setClaimPhase(claim: Claim, phase: string): void {
    this.cluster.update(nameOfObject(claim), { status: { phase } }, undefined, 'status');
  }
}
