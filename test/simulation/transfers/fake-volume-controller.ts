import type { Claim, Pod, Volume } from '../../../lib/cluster/objects.ts';
import { nameOf, resources } from '../../../lib/cluster/resources.ts';
import { type FakeCluster, nameOfObject } from '../fake-cluster.ts';

const protection = 'kubernetes.io/pvc-protection';
const bindCompleted = 'pv.kubernetes.io/bind-completed';

/** What the controllers of the cluster do about claims and volumes, one object at a time, whenever they get to it. */
export class FakeVolumeController {
  private readonly cluster: FakeCluster;

  constructor(cluster: FakeCluster) {
    this.cluster = cluster;
  }

  /** Looks at everything once. */
  syncAll(): void {
    for (const claim of this.cluster.all<Claim>(resources.claim)) this.syncClaim(claim);
    for (const volume of this.cluster.all<Volume>(resources.volume)) this.syncVolume(volume);
  }

  syncClaim(claim: Claim): void {
    if (this.releaseUnused(claim)) return;
    if (claim.metadata.annotations?.[bindCompleted]) this.syncBoundClaim(claim);
    else this.syncUnboundClaim(claim);
  }

  syncVolume(volume: Volume): void {
    const { claimRef } = volume.spec;
    if (!claimRef?.uid) {
      this.setVolumePhase(volume, 'Available');
      return;
    }
    const found = this.cluster.read<Claim>(nameOf(resources.claim, claimRef.namespace, claimRef.name ?? ''));
    const claim = found?.metadata.uid === claimRef.uid ? found : undefined;
    if (!claim) this.reclaim(volume);
    else if (claim.spec.volumeName === volume.metadata.name) this.setVolumePhase(volume, 'Bound');
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
      .all<Pod>(resources.pod, namespace)
      .some((pod) => pod.spec?.volumes?.some((volume) => volume.persistentVolumeClaim?.claimName === name));
  }

  private syncUnboundClaim(claim: Claim): void {
    const { volumeName } = claim.spec;
    const volume = volumeName
      ? this.cluster.read<Volume>(nameOf(resources.volume, undefined, volumeName))
      : this.findVolumeFor(claim);
    if (volume && acceptsClaim(volume, claim)) this.bind(volume, claim);
  }

  /** A volume that is reserved for the claim, or one that belongs to nobody: the danger of an empty claimRef. */
  private findVolumeFor(claim: Claim): Volume | undefined {
    const volumes = this.cluster.all<Volume>(resources.volume);
    return (
      volumes.find((volume) => volume.spec.claimRef && acceptsClaim(volume, claim)) ??
      volumes.find((volume) => !volume.spec.claimRef)
    );
  }

  private bind(volume: Volume, claim: Claim): void {
    const { namespace = '', name, uid } = claim.metadata;
    const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid };
    this.cluster.update(nameOfObject(volume), { spec: { claimRef } });
    this.cluster.update(nameOfObject(volume), { status: { phase: 'Bound' } }, undefined, 'status');
    const annotations = { [bindCompleted]: 'yes' };
    this.cluster.update(nameOfObject(claim), { metadata: { annotations }, spec: { volumeName: volume.metadata.name } });
    this.cluster.update(nameOfObject(claim), { status: { phase: 'Bound' } }, undefined, 'status');
  }

  private syncBoundClaim(claim: Claim): void {
    const volume = this.cluster.read<Volume>(nameOf(resources.volume, undefined, claim.spec.volumeName ?? ''));
    const phase = volume?.spec.claimRef?.uid === claim.metadata.uid ? 'Bound' : 'Lost';
    this.cluster.update(nameOfObject(claim), { status: { phase } }, undefined, 'status');
  }

  private reclaim(volume: Volume): void {
    this.setVolumePhase(volume, 'Released');
    // The data goes with the volume: exactly what must never happen to a volume that is being moved.
    if (volume.spec.persistentVolumeReclaimPolicy === 'Delete') {
      this.cluster.delete(nameOfObject(volume)).catch(() => {});
    }
  }

  private setVolumePhase(volume: Volume, phase: string): void {
    this.cluster.update(nameOfObject(volume), { status: { phase } }, undefined, 'status');
  }
}

function acceptsClaim(volume: Volume, claim: Claim): boolean {
  const { claimRef } = volume.spec;
  if (!claimRef) return true;
  const { namespace, name, uid } = claim.metadata;
  return claimRef.namespace === namespace && claimRef.name === name && (!claimRef.uid || claimRef.uid === uid);
}
