import { fenceOf } from '../../../lib/capabilities/transfers/by-request/claim-marks.ts';
import { recordOf } from '../../../lib/capabilities/transfers/by-request/volume-marks.ts';
import type { Claim } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import { User } from '../user.ts';
import { neededBy } from './fake-driver.ts';
import {
  approvalOf,
  claimOf,
  larger,
  place,
  podOf,
  remadeVolume,
  settingsOf,
  size,
  strangeVolume,
  system,
  volumeName,
  volumeOf,
} from './objects.ts';

const foreignFinalizer = 'example.com/hold';

/** Those who ask, agree, change their minds and interfere. */
export class Users extends User {
  /** Somebody has used force: then even a right sequence may have to stop. */
  haveForced = false;
  /** Transfers have been switched off or on in the middle of everything. */
  haveSwitched = false;
  /** Whoever approves means the claim that is there, and says so by its uid. */
  private readonly meanOneClaim: boolean;

  constructor(cluster: FakeCluster, meanOneClaim: boolean) {
    super(cluster);
    this.meanOneClaim = meanOneClaim;
  }

  approve(targetNamespace: string, requestName: string): void {
    const source = this.meanOneClaim ? this.claim(place.source, 'data') : undefined;
    this.create(approvalOf(targetNamespace, requestName, source?.metadata.uid));
  }

  /** A claim that is there already is told that it accepts. */
  accept(namespace: string, name: string, storage = this.sizeOfSource()): void {
    const annotations = { transferAccept: `${place.source}/data` };
    const claim = claimOf(namespace, name, annotations);
    const asking: Claim = { ...claim, spec: { ...claim.spec, resources: { requests: { storage } } } };
    if (this.claim(namespace, name)) this.annotate(namespace, name, annotations);
    else this.create(asking);
  }

  /** Its driver makes the volume larger some time later. */
  growSource(): void {
    const isBound = this.claim(place.source, 'data')?.status?.phase === 'Bound';
    if (isBound) this.change(resources.claim, place.source, 'data', { spec: { resources: { requests: larger } } });
  }

  /** Who accepts asks for what they are told that the volume has. */
  private sizeOfSource(): string {
    const source = this.claim(place.source, 'data');
    const name = source?.spec.volumeName ?? volumeName;
    const volume = this.cluster.read(nameOf(resources.volume, undefined, name));
    return neededBy(volume, source) || size.storage;
  }

  annotate(namespace: string, name: string, annotations: Record<string, string | null>): void {
    this.change(resources.claim, namespace, name, { metadata: { annotations } });
  }

  limitClaims(most: number | undefined): void {
    this.cluster.namespaces.limit(place.target, resources.claim, most);
  }

  startPod(): void {
    const claim = this.claim(place.source, 'data');
    // The scheduler starts no pod with a claim that is being deleted.
    if (claim && !claim.metadata.deletionTimestamp) this.create(podOf('data'));
  }

  /** An owner who has been asked by two does not go back and forth. */
  annotateOnce(namespace: string, name: string, key: string, value: string): void {
    if (!this.claim(namespace, name)?.metadata.annotations?.[key]) this.annotate(namespace, name, { [key]: value });
  }

  /** What a StatefulSet does, or a GitOps tool: the claim is there again, with its annotation and a new volume. */
  remakeSource(): void {
    if (this.claim(place.source, 'data')) return;
    this.create(volumeOf(remadeVolume, { namespace: place.source, name: 'data' }, 'Delete'));
    this.create(claimOf(place.source, 'data', { transferRequest: `${place.target}/moved` }));
  }

  /** What a StatefulSet does whose claim was never offered. */
  remakeUnoffered(): void {
    if (this.claim(place.source, 'data')) return;
    this.create(volumeOf(remadeVolume, { namespace: place.source, name: 'data' }, 'Delete'));
    this.create(claimOf(place.source, 'data'));
  }

  /** Who has the volume already, and asks no longer, perhaps to ask for the next one. */
  withdrawArrived(): void {
    const volume = this.cluster.read(nameOf(resources.volume, undefined, volumeName));
    if (volume?.spec.claimRef?.namespace === place.target) this.delete(resources.transferRequest, place.target, 'move');
  }

  /** A stranger offers theirs to a claim whose owner has asked for nothing. */
  offerUnasked(): void {
    this.create(volumeOf(strangeVolume, { namespace: place.rival, name: 'bait' }, 'Delete'));
    this.create(claimOf(place.rival, 'bait', { transferRequest: `${place.source}/data` }));
  }

  /** The volume of a claim that cannot come back is had by another one in its namespace. */
  takeBackByAnother(): void {
    this.annotate(place.source, 'data', { transferRequest: `${place.source}/back` });
    this.accept(place.source, 'back');
  }

  /** The people of the source's namespace do what they are told to get their volume back. */
  takeVolumeBack(): void {
    const source = this.claim(place.source, 'data');
    if (source?.metadata.deletionTimestamp) this.takeBackByAnother();
    else if (!source) this.accept(place.source, 'data');
  }

  /** What a provisioner does where nothing holds the accepting claim back. */
  provisionTarget(): void {
    const claim = this.claim(place.target, 'moved');
    if (!claim || claim.spec.volumeName || claim.status?.phase === 'Bound') return;
    this.create(volumeOf('pv-2', { namespace: place.target, name: 'moved' }, 'Delete'));
    this.change(resources.claim, place.target, 'moved', { spec: { volumeName: 'pv-2' } });
  }

  /** The target's name is free for the transfer: no claim has it that has, or waits for, another volume. */
  freeName(namespace: string, name: string): void {
    const claim = this.claim(namespace, name);
    if (!claim || claim.spec.volumeName === volumeName) return;
    const isWaiting = claim.spec.volumeName === undefined && claim.metadata.annotations?.transferAccept !== undefined;
    if (!isWaiting || this.isHeldByRequest()) this.delete(resources.claim, namespace, name);
  }

  /** Somebody else's finalizer, such as that of a tool for backups, or of an owner who does not want to let go. */
  hold(resource: Resource, namespace: string, name: string): void {
    const finalizers = this.cluster.read(nameOf(resource, namespace, name))?.metadata.finalizers ?? [];
    if (finalizers.includes(foreignFinalizer)) return;
    this.change(resource, namespace, name, { metadata: { finalizers: [...finalizers, foreignFinalizer] } });
  }

  letGo(resource: Resource, namespace: string, name: string): void {
    const finalizers = this.cluster.read(nameOf(resource, namespace, name))?.metadata.finalizers ?? [];
    if (!finalizers.includes(foreignFinalizer)) return;
    const others = finalizers.filter((finalizer) => finalizer !== foreignFinalizer);
    this.change(resource, namespace, name, { metadata: { finalizers: others } });
  }

  deleteNamespace(namespace: string): void {
    this.cluster.namespaces.terminate(namespace);
  }

  wantNamespaces(): void {
    this.cluster.namespaces.want(place.source, place.target);
  }

  makeNamespaceAnew(namespace: string): void {
    this.cluster.namespaces.makeAnew(namespace);
  }

  /** A release tool writes its version: the server renews the time of all that the tool ever wrote, the spec included. */
  relabelGrant(): void {
    const time = this.cluster.now().toISOString();
    const fieldsV1 = { 'f:metadata': { 'f:labels': {} }, 'f:spec': { 'f:from': {}, 'f:to': {} } };
    const metadata = { labels: { version: time }, managedFields: [{ manager: 'release', time, fieldsV1 }] };
    this.change(resources.referenceGrant, place.source, 'all', { metadata });
  }

  /** The owner of the approval follows what it says. */
  confirmApproval(): void {
    const { uid } = this.cluster.namespaces.get(place.target)?.metadata ?? {};
    if (!uid) return;
    const metadata = { annotations: { 'longshore.dev/namespace-uids': uid } };
    this.change(resources.transferApproval, place.source, `to-${place.target}`, { metadata });
  }

  flip(key: string): void {
    this.haveSwitched = true;
    const found = this.cluster.read(nameOf(resources.configMap, system, 'longshore'));
    if (!found) this.create(settingsOf({ [key]: 'off' }));
    const data = { [key]: found?.data?.[key] === 'off' ? 'on' : 'off' };
    if (found) this.change(resources.configMap, system, 'longshore', { data });
  }

  /** The bluntest thing an impatient administrator does to a claim that will not go. */
  stripFinalizers(keeps: (finalizer: string) => boolean): void {
    const claim = this.claim(place.source, 'data');
    if (!claim?.metadata.deletionTimestamp) return;
    this.haveForced = true;
    const finalizers = claim.metadata.finalizers?.filter(keeps) ?? [];
    this.change(resources.claim, place.source, 'data', { metadata: { finalizers } });
  }

  /** A transfer by request can only go on when its target's name is free. */
  private isHeldByRequest(): boolean {
    const claim = this.claim(place.source, 'data');
    const isLeaving = claim?.metadata.deletionTimestamp !== undefined && fenceOf(claim) !== undefined;
    const volume = this.cluster.read(nameOf(resources.volume, undefined, volumeName));
    return isLeaving || recordOf(volume) !== undefined;
  }

  private claim(namespace: string, name: string): Claim | undefined {
    return this.cluster.read(nameOf(resources.claim, namespace, name));
  }
}
