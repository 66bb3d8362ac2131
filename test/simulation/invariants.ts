import type { Claim, Pod, TransferApproval, TransferRequest, Volume } from '../../lib/cluster/objects.ts';
import { nameOf, resources } from '../../lib/cluster/resources.ts';
import { consented } from '../../lib/transfers/consent.ts';
import { fenceOf, identityOf, recordOf, sameTransfer, transferredBy } from '../../lib/transfers/marks.ts';
import type { ClusterChange, FakeCluster } from './fake-cluster.ts';
import type { PendingCall } from './gated-cluster.ts';
import type { Scenario } from './scenario.ts';

export class Violation extends Error {}

/** Consent may have been read this long before the write that relies on it. */
const trustMs = 5_500;
const volumeName = nameOf(resources.volume, undefined, 'pv-1');
const sourceName = nameOf(resources.claim, 'prod', 'data');

/** What must hold after every write, whoever made it. */
export class Invariants {
  private readonly cluster: FakeCluster;
  /** Every wish that there has been, and when it was last there. */
  private readonly requests = new Map<TransferRequest, number>();
  private readonly approvals = new Map<TransferApproval, number>();
  /** The write that is about to take effect passes the point of no return although all has been rolled back. */
  private isLate = false;
  private wasRecorded = false;
  private stranded: (string | undefined)[] = [];
  private presentRequests: TransferRequest[] = [];
  private presentApprovals: TransferApproval[] = [];
  /** A claim was deleted by its own user while nothing secured the volume: then the volume's policy is the user's wish. */
  private givenUpByUser = false;
  private sourceUid: string | undefined;

  constructor(cluster: FakeCluster) {
    this.cluster = cluster;
  }

  /** Before a worker's write takes effect. */
  beforeWrite(call: PendingCall): void {
    this.noteWishes();
    if (call.verb === 'delete' && call.object === 'PersistentVolumeClaim prod/data' && !this.isRecorded()) {
      throw new Violation('the source is deleted although nothing secures its volume');
    }
    const isFenced = fenceOf(this.cluster.read<Claim>(sourceName)) !== undefined;
    this.isLate = isCommitment(call) && !isFenced && !this.isAgreedNow();
    if (!isCommitment(call)) return;
    const recent = <T>(wishes: Map<T, number>) => [...wishes].filter(([, seen]) => call.issuedAt - seen <= trustMs);
    const agreed = recent(this.requests).some(([request]) => {
      return recent(this.approvals).some(([approval]) => consented(request, approval));
    });
    if (!agreed) {
      throw new Violation('the point of no return is passed although one side does not agree any more');
    }
  }

  beforeUserDeletesClaim(): void {
    const claimRef = this.cluster.read<Volume>(volumeName)?.spec.claimRef;
    if (!this.isRecorded() || claimRef?.namespace !== 'prod') this.givenUpByUser = true;
  }

  afterChange(change: ClusterChange): void {
    this.noteWishes();
    const source = this.cluster.read<Claim>(sourceName);
    this.sourceUid ??= source?.metadata.uid;
    if (change.type === 'DELETED' && change.object.metadata.uid === this.sourceUid) {
      this.stranded = this.cluster.all<Pod>(resources.pod, 'prod').map(({ metadata }) => metadata.uid);
    }
    if (change.resource !== resources.volume) return;
    const wasRecorded = this.wasRecorded;
    this.wasRecorded = recordOf(change.object as Volume) !== undefined;
    if (this.isLate && this.wasRecorded && !wasRecorded) {
      throw new Violation('the point of no return is passed after everything has been rolled back');
    }
    if (change.type === 'DELETED' && !this.givenUpByUser)
      throw new Violation('the volume is reclaimed: its data is lost');
    this.checkClaimRef(change.object as Volume, source);
  }

  private checkClaimRef(volume: Volume, source: Claim | undefined): void {
    const { claimRef } = volume.spec;
    if (!claimRef) throw new Violation('claimRef is empty: any claim can take the volume');
    if (claimRef.namespace === 'prod' || !claimRef.uid) return;
    if (this.strandedPods().length > 0)
      throw new Violation('claimRef moved while pods still have the vanished source mounted');
    const isSource = source?.metadata.uid === this.sourceUid;
    if (isSource && source && canBeMounted(source)) {
      throw new Violation('two namespaces can mount the volume: claimRef moved while the source can still be used');
    }
    const pods = this.cluster.all<Pod>(resources.pod, 'prod');
    if (isSource && pods.length > 0) throw new Violation('claimRef moved while a pod uses the source');
  }

  /** The pods that had the source mounted when it was taken from under them. */
  private strandedPods(): Pod[] {
    return this.cluster.all<Pod>(resources.pod, 'prod').filter(({ metadata }) => this.stranded.includes(metadata.uid));
  }

  private isAgreedNow(): boolean {
    return this.presentRequests.some((request) =>
      this.presentApprovals.some((approval) => consented(request, approval)),
    );
  }

  private isRecorded(): boolean {
    return recordOf(this.cluster.read<Volume>(volumeName)) !== undefined;
  }

  private noteWishes(): void {
    const now = this.cluster.now().getTime();
    for (const request of this.presentRequests) this.requests.set(request, now);
    for (const approval of this.presentApprovals) this.approvals.set(approval, now);
    // What was there until this very change was there until now.
    this.presentRequests = this.cluster.all(resources.transferRequest);
    this.presentApprovals = this.cluster.all(resources.transferApproval);
    for (const request of this.presentRequests) this.requests.set(request, now);
    for (const approval of this.presentApprovals) this.approvals.set(approval, now);
  }

  /** What must be true in the end, when nothing moves any more and no obstacle is left. */
  checkEnd(scenario: Scenario): void {
    const volume = this.cluster.read<Volume>(volumeName);
    if (!volume) {
      if (!this.givenUpByUser) throw new Violation('the volume is gone');
      return;
    }
    const requests = this.cluster.all<TransferRequest>(resources.transferRequest);
    const approvals = this.cluster.all<TransferApproval>(resources.transferApproval);
    const claims = this.cluster.all<Claim>(resources.claim);
    const holder = claims.find(({ metadata }) => metadata.uid === volume.spec.claimRef?.uid);
    this.checkNoMarks(volume, claims);
    if (volume.spec.persistentVolumeReclaimPolicy !== scenario.originalPolicy) {
      throw new Violation(`the reclaim policy is ${volume.spec.persistentVolumeReclaimPolicy} in the end`);
    }
    if (holder && holder.status?.phase !== 'Bound') throw new Violation('the claim that has the volume is not bound');
    for (const request of requests) this.checkRequest(request, approvals, holder, volume);
    const leftOvers = claims.filter(
      ({ metadata, spec }) => spec.volumeName === 'pv-1' && metadata.uid !== holder?.metadata.uid,
    );
    if (leftOvers.length > 0)
      throw new Violation(`claim ${leftOvers[0]?.metadata.name} waits for a volume that it never gets`);
  }

  private checkRequest(
    request: TransferRequest,
    approvals: TransferApproval[],
    holder: Claim | undefined,
    volume: Volume,
  ): void {
    const approval = approvals.find((candidate) => consented(request, candidate));
    const by = transferredBy(holder);
    const moved = by !== undefined && sameTransfer(by, identityOf(request));
    if (moved && !request.status?.complete) throw new Violation('moved, but the request is not complete');
    if (moved && approval && !approval.status?.complete) throw new Violation('moved, but the approval is not complete');
    if (request.status?.complete || !approval) return;
    const sourceHolds = holder?.metadata.namespace === 'prod' && volume.status?.phase === 'Bound';
    if (sourceHolds && !holder.metadata.deletionTimestamp) throw new Violation('both sides agree, but nothing moves');
    if (!request.status?.conditions?.length) throw new Violation('the request waits and does not say why');
  }

  private checkNoMarks(volume: Volume, claims: Claim[]): void {
    const recorded = Object.keys(volume.metadata.annotations ?? {}).some((name) => name.startsWith('longshore.dev/'));
    if (recorded) throw new Violation('the volume still carries the record of a transfer');
    const fenced = claims.find(({ metadata }) => metadata.finalizers?.includes('longshore.dev/transfer'));
    if (fenced) throw new Violation(`claim ${fenced.metadata.namespace}/${fenced.metadata.name} is still fenced`);
  }
}

/** The record on the volume: from there on a transfer is only ever finished. */
function isCommitment({ verb, object, body }: PendingCall): boolean {
  return verb === 'patch' && object === 'PersistentVolume /pv-1' && JSON.stringify(body).includes('transfer-source":"');
}

function canBeMounted({ metadata }: Claim): boolean {
  return !metadata.deletionTimestamp || (metadata.finalizers ?? []).includes('kubernetes.io/pvc-protection');
}
