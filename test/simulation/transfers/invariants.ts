import { isOffered, isPending } from '../../../lib/capabilities/transfers/by-annotation/claim-marks.ts';
import { offerOn } from '../../../lib/capabilities/transfers/by-annotation/volume-marks.ts';
import { fenceOf } from '../../../lib/capabilities/transfers/by-request/claim-marks.ts';
import { recordOf } from '../../../lib/capabilities/transfers/by-request/volume-marks.ts';
import { isKeptFor } from '../../../lib/capabilities/transfers/kept-volume.ts';
import type { Claim, ClusterObject, Pod, TransferApproval, Volume } from '../../../lib/kubernetes/objects.ts';
import { isOf } from '../../../lib/kubernetes/of-kind.ts';
import { formatPlace } from '../../../lib/kubernetes/places.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import { type Invariants, Violation } from '../capability.ts';
import type { ClusterChange, FakeCluster } from '../fake-cluster.ts';
import type { PendingCall } from '../gate.ts';
import { countsFor, resizingSince } from './fake-driver.ts';
import { volumeName as name, place } from './objects.ts';
import type { UserAction } from './user-actions.ts';
import { WhoseNamespace } from './whose-namespace.ts';
import { trustMs, Wishes } from './wishes.ts';

const volumeName = nameOf(resources.volume, undefined, name);
const sourceName = nameOf(resources.claim, place.source, 'data');

/** What must hold before and after every write, whoever made it. */
export class TransferInvariants implements Invariants {
  private readonly cluster: FakeCluster;
  private readonly namespaces: WhoseNamespace;
  private readonly wishes: Wishes;
  /** The write that is about to take effect passes the point of no return although all has been rolled back. */
  private isLate = false;
  private wasRecorded = false;
  private stranded: (string | undefined)[] = [];
  private sourceUid: string | undefined;
  private wasFenceStripped = false;
  /** Which volume each approval has given away. */
  private readonly given = new Map<string, string>();
  /** The claim that each approval is for, if it says so by a uid. */
  private readonly approvedClaims = new Map<string, string | undefined>();
  private wasGranted = false;
  /** The claim from which the volume was moved last. */
  private movedFrom: string | undefined;
  /** A claim was deleted by its own user while nothing was promised: then the volume's policy is the user's wish. */
  givenUpByUser = false;

  constructor(cluster: FakeCluster) {
    this.cluster = cluster;
    this.namespaces = new WhoseNamespace(cluster);
    for (const claim of cluster.all(resources.claim)) this.namespaces.note(claim);
    this.wishes = new Wishes(cluster, this.namespaces);
  }

  /** Before a worker's write takes effect. */
  beforeWrite(call: PendingCall): void {
    this.wishes.note();
    const isFirst = this.cluster.read(sourceName)?.metadata.uid === this.sourceUid;
    const isSecured = this.isRecorded() || this.isKept();
    if (call.verb === 'delete' && call.object === 'PersistentVolumeClaim prod/data' && isFirst && !isSecured) {
      throw new Violation('the source is deleted although nothing secures its volume');
    }
    const isFenced = fenceOf(this.cluster.read(sourceName)) !== undefined;
    this.isLate = isCommitment(call) && !isFenced && !this.wishes.isAgreedNow();
    const { resourceVersion } = this.cluster.read(volumeName)?.metadata ?? {};
    const isOfAnother = call.object === 'PersistentVolume /pv-1' && call.version !== resourceVersion;
    // What the server refuses, as it was decided upon before somebody else's write, does nothing.
    const isRefused = isOfAnother && call.version !== undefined;
    if (isCommitment(call) && !isRefused && !this.wishes.agreedAt(call.issuedAt)) {
      throw new Violation('the point of no return is passed although one side does not agree any more');
    }
    if (isOfAnother) return;
    this.checkOffer(call);
    this.checkDriver(call);
  }

  /** Each side of a transfer by annotation has said so itself, when its word is relied on. */
  private checkOffer({ verb, object, body, issuedAt }: PendingCall): void {
    const offer = offerOn(this.cluster.read(volumeName));
    if (verb !== 'patch' || object !== 'PersistentVolume /pv-1' || !offer) return;
    const { metadata, spec } = body as { metadata?: { annotations?: Record<string, unknown> }; spec?: Volume['spec'] };
    const isRelease = typeof metadata?.annotations?.['longshore.dev/transfer-released'] === 'string';
    const { source, destination, releasedAt } = offer;
    // Back to the claim that it was of, which is gone: so it is nobody's who has to say so.
    if (spec?.claimRef?.uid === source.uid) return;
    if (isRelease && !releasedAt && !this.wishes.offeredAt(issuedAt, source.uid, formatPlace(destination))) {
      throw new Violation('the source is let go although its owner does not offer it any more');
    }
    if (spec?.claimRef && !this.wishes.acceptedAt(issuedAt, spec.claimRef.uid ?? '')) {
      throw new Violation('the volume goes to a claim that does not accept it');
    }
  }

  /** No claim counts for less than the volume that it gets, nor than what its driver is making of it. */
  private checkSize(volume: Volume): void {
    const { uid } = volume.spec.claimRef ?? {};
    const target = this.cluster.all(resources.claim).find(({ metadata }) => metadata.uid === uid);
    if (target && !countsFor(target, volume.spec.capacity?.storage)) {
      throw new Violation('the volume goes to a claim that counts for less than it is');
    }
  }

  /** What the driver is doing in the name of one claim it could not end in the name of another. */
  private checkDriver({ verb, object, body, issuedAt }: PendingCall): void {
    const { spec } = (body ?? {}) as { spec?: Volume['spec'] };
    const source = this.cluster.read(sourceName);
    const isMove = verb === 'patch' && object === 'PersistentVolume /pv-1' && spec?.claimRef?.uid !== undefined;
    if (!isMove || !source || source.metadata.uid !== this.sourceUid || spec?.claimRef?.uid === this.sourceUid) return;
    const volume = this.cluster.read(volumeName);
    const since = volume?.spec.claimRef?.uid === this.sourceUid ? resizingSince(source) : undefined;
    if (since !== undefined && issuedAt - since > trustMs) {
      throw new Violation('the volume is moved while its driver makes it larger');
    }
  }

  /** The namespace is still there in which the claim was at first. */
  get isHomeThere(): boolean {
    const present = this.cluster.namespaces.get(place.source)?.metadata;
    return present !== undefined && present.uid === this.namespaces.homeOf(this.sourceUid);
  }

  /** All that a transfer writes is in the cluster. */
  afterWrite(): void {}

  beforeUserAction(action: UserAction): void {
    if (action === 'delete source') this.beforeUserDeletesSource();
    if (action === 'strip finalizers') this.beforeUserForces();
    if (action === 'delete target') this.beforeUserDeletesTarget();
  }

  /** Who deletes a namespace deletes the claims in it. */
  beforeDeletion({ kind, metadata: { namespace, name } }: ClusterObject): void {
    if (kind !== resources.claim.kind) return;
    if (namespace === place.source && name === 'data') this.beforeUserDeletesSource();
    if (namespace === place.target && ['moved', 'more'].includes(name)) this.beforeUserDeletesTarget(name);
  }

  private beforeUserDeletesSource(): void {
    const volume = this.cluster.read(volumeName);
    const source = this.cluster.read(sourceName);
    const isOurs = source?.metadata.uid === this.sourceUid;
    // As the admission policy sees it: the mark alone may have been copied.
    const isPromised =
      isPending(source) && isOffered(source) && source?.metadata.annotations?.transferRequest !== undefined;
    // What is fenced is held, and moves all the same.
    if (isOurs && (isPromised || fenceOf(source))) return;
    if (!this.isRecorded() || volume?.spec.claimRef?.namespace !== place.source) this.givenUpByUser = true;
  }

  /** A fence that is taken off by force holds nothing; what is recorded on the volume still does. */
  private beforeUserForces(): void {
    const source = this.cluster.read(sourceName);
    if (source?.metadata.deletionTimestamp && fenceOf(source)) this.wasFenceStripped = true;
    const isSecured = this.isRecorded() || offerOn(this.cluster.read(volumeName)) !== undefined;
    if (source?.metadata.deletionTimestamp && !isSecured) this.givenUpByUser = true;
  }

  private beforeUserDeletesTarget(name = 'moved'): void {
    const volume = this.cluster.read(volumeName);
    // A claim that has its volume is its owner's; until then the volume is not.
    const target = this.cluster.read(nameOf(resources.claim, place.target, name));
    const isItsOwn = volume?.spec.claimRef?.namespace !== place.source;
    const isBound = target?.metadata.uid === volume?.spec.claimRef?.uid && target?.status?.phase === 'Bound';
    if (isItsOwn && (isBound || !offerOn(volume))) this.givenUpByUser = true;
  }

  afterChange(change: ClusterChange): void {
    this.namespaces.note(change.object);
    this.wishes.note();
    const source = this.cluster.read(sourceName);
    this.sourceUid ??= source?.metadata.uid;
    if (change.type === 'DELETED' && change.object.metadata.uid === this.sourceUid) {
      this.stranded = this.cluster.all(resources.pod, place.source).map(({ metadata }) => metadata.uid);
    }
    if (change.type === 'DELETED' && change.object.metadata.uid === this.sourceUid) this.checkCounted();
    if (isOf(change, resources.transferApproval)) {
      this.approvedClaims.set(change.object.metadata.uid ?? '', change.object.spec.source.uid);
    }
    this.wasGranted ||= change.resource === resources.referenceGrant;
    if (isOf(change, resources.volume)) {
      this.checkApprovedClaim(change.object);
      this.checkApproval(change.object);
    }
    if (change.resource !== resources.volume || change.object.metadata.name !== name) return;
    const wasRecorded = this.wasRecorded;
    const record = recordOf(change.object as Volume);
    this.wasRecorded = record !== undefined;
    this.movedFrom = record?.source.uid ?? this.movedFrom;
    if (this.isLate && this.wasRecorded && !wasRecorded) {
      throw new Violation('the point of no return is passed after everything has been rolled back');
    }
    if (change.type === 'DELETED' && !this.givenUpByUser)
      throw new Violation('the volume is reclaimed: its data is lost');
    this.checkMarks(change.object as Volume, source);
    this.checkClaimRef(change.object as Volume, source);
  }

  /** An approval with a uid gives away that claim, and no other that has its name. */
  private checkApprovedClaim(volume: Volume): void {
    const record = recordOf(volume);
    if (!record) return;
    if (!record.approvalUid && !this.wasGranted) throw new Violation('a claim is moved that nobody has agreed to');
    const approved = this.approvedClaims.get(record.approvalUid ?? '');
    if (approved && approved !== record.source.uid) throw new Violation('an approval has given away another claim');
  }

  /** True unless the volume was moved from another claim than the approval is for. */
  wasGivenBy({ spec }: TransferApproval): boolean {
    return !spec.source.uid || spec.source.uid === this.movedFrom;
  }

  /** An approval is for one transfer, whoever asks once more by the same name. */
  private checkApproval(volume: Volume): void {
    const record = recordOf(volume);
    // Whoever takes the fence off by force frees the name before the approval can have been told.
    if (this.wasFenceStripped || !record?.approvalUid || volume.spec.claimRef?.uid === record.source.uid) return;
    const first = this.given.get(record.approvalUid) ?? volume.metadata.name;
    if (first !== volume.metadata.name) throw new Violation('one approval has given away two claims');
    this.given.set(record.approvalUid, first);
  }

  /** An offered volume that no claim has is counted by no quota: only a namespace that goes lets its claims go all the same. */
  private checkCounted(): void {
    const volume = this.cluster.read(volumeName);
    const offer = offerOn(volume);
    const isGoing = this.cluster.namespaces.get(place.source)?.metadata.deletionTimestamp !== undefined;
    if (!offer || offer.isStopped || !offer.releasedAt || isGoing) return;
    if (volume?.spec.claimRef?.uid === this.sourceUid) throw new Violation('a volume is left that no quota counts');
  }

  /** The two kinds of transfer exclude each other. */
  private checkMarks(volume: Volume, source: Claim | undefined): void {
    if (recordOf(volume) && offerOn(volume)) throw new Violation('two transfers of both kinds have the same volume');
    if (isOffered(source) && fenceOf(source)) throw new Violation('two transfers of both kinds have the same claim');
  }

  private checkClaimRef(volume: Volume, source: Claim | undefined): void {
    const { claimRef } = volume.spec;
    if (!claimRef) throw new Violation('claimRef is empty: any claim can take the volume');
    this.checkPeople(volume);
    this.checkSize(volume);
    if (claimRef.namespace === place.source || !claimRef.uid) return;
    if (this.strandedPods().length > 0)
      throw new Violation('claimRef moved while pods still have the vanished source mounted');
    const isSource = source?.metadata.uid === this.sourceUid;
    if (isSource && source && canBeMounted(source)) {
      throw new Violation('two namespaces can mount the volume: claimRef moved while the source can still be used');
    }
    const pods = this.cluster.all(resources.pod, place.source);
    if (isSource && pods.length > 0) throw new Violation('claimRef moved while a pod uses the source');
  }

  /** Neither those who have the name of the target's namespace by now nor those of the source's get what was never theirs. */
  private checkPeople(volume: Volume): void {
    const { uid, namespace } = volume.spec.claimRef ?? {};
    const record = recordOf(volume);
    const home = this.namespaces.homeOf(uid);
    if (!uid || uid === this.sourceUid) return;
    if (namespace === place.source && home !== this.namespaces.homeOf(this.sourceUid)) {
      throw new Violation('the volume is given back to other people, who have the name of the namespace now');
    }
    if (record && namespace !== place.source && home !== this.namespaces.homeOf(record.transfer.uid)) {
      throw new Violation('the volume goes to other people, who have the name of the namespace now');
    }
  }

  /** The pods that had the source mounted when it was taken from under them. */
  private strandedPods(): Pod[] {
    const pods = this.cluster.all(resources.pod, place.source);
    return pods.filter(({ metadata }) => this.stranded.includes(metadata.uid));
  }

  /** The transfer is being undone, and its volume stays whatever becomes of the claim. */
  private isKept(): boolean {
    const [source, volume] = [this.cluster.read(sourceName), this.cluster.read(volumeName)];
    const isRetained = volume?.spec.persistentVolumeReclaimPolicy === 'Retain';
    return isRetained && source !== undefined && isKeptFor(source, volume);
  }

  private isRecorded(): boolean {
    return recordOf(this.cluster.read(volumeName)) !== undefined;
  }
}

/** The record on the volume: from there on a transfer by request is only ever finished. */
function isCommitment({ verb, object, body }: PendingCall): boolean {
  return (
    verb === 'patch' &&
    object === 'PersistentVolume /pv-1' &&
    JSON.stringify(body).includes('transfer-source":"prod/data/')
  );
}

function canBeMounted({ metadata }: Claim): boolean {
  return !metadata.deletionTimestamp || (metadata.finalizers ?? []).includes('kubernetes.io/pvc-protection');
}
