import { matches } from '../../../lib/capabilities/transfers/by-request/consent.ts';
import type { ClusterObject, TransferApproval, TransferRequest } from '../../../lib/kubernetes/objects.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import { place, system } from './objects.ts';
import type { WhoseNamespace } from './whose-namespace.ts';

/** What was read this long before a write that relies on it may be relied on. */
export const trustMs = 5_500;

/** What users and administrators want, and when each of it was last so. A write relies on what was so a moment ago. */
export class Wishes {
  private readonly cluster: FakeCluster;
  private readonly namespaces: WhoseNamespace;
  private readonly lastSeen = new Map<string, number>();
  private readonly requests = new Map<string, TransferRequest>();
  private readonly approvals = new Map<string, TransferApproval>();
  /** All that there ever were. */
  private grants: string[] = [];
  private present: string[] = [];

  constructor(cluster: FakeCluster, namespaces: WhoseNamespace) {
    this.cluster = cluster;
    this.namespaces = namespaces;
  }

  /** Takes note of what is wanted now; called after each change, and before each write. */
  note(): void {
    const now = this.cluster.now().getTime();
    // What was there until this very change was there until now.
    for (const wish of this.present) this.lastSeen.set(wish, now);
    this.present = [...this.consents(), ...this.offers(), ...this.switches()];
    for (const wish of this.present) this.lastSeen.set(wish, now);
  }

  /** Each side of a transfer by request wanted it, and it was not switched off. */
  agreedAt(time: number): boolean {
    return this.isRecent('requests on', time) && this.isAgreed((wish) => this.isRecent(wish, time));
  }

  isAgreedNow(): boolean {
    return this.isAgreed((wish) => this.present.includes(wish));
  }

  /** The owner of this claim offered it to this destination. */
  offeredAt(time: number, uid: string, destination: string): boolean {
    return this.isRecent(`offered ${uid} to ${destination}`, time);
  }

  acceptedAt(time: number, uid: string): boolean {
    return this.isRecent(`accepted by ${uid}`, time) && this.isRecent('annotations on', time);
  }

  private isRecent(wish: string, time: number): boolean {
    return time - (this.lastSeen.get(wish) ?? Number.NEGATIVE_INFINITY) <= trustMs;
  }

  private isAgreed(isThere: (wish: string) => boolean): boolean {
    const approvals = [...this.approvals].filter(([uid]) => isThere(uid));
    return [...this.requests]
      .filter(([uid]) => isThere(uid))
      .some(([, request]) =>
        this.isAgreedFor(
          request,
          approvals.map(([, approval]) => approval),
          isThere,
        ),
      );
  }

  /** Who agreed meant the namespaces that there are, and not others that had their names before. */
  private isAgreedFor(
    request: TransferRequest,
    approvals: TransferApproval[],
    isThere: (wish: string) => boolean,
  ): boolean {
    const { uid: wish, namespace } = request.metadata;
    const home = this.namespaces.homeOf(wish);
    const source = this.cluster.read(nameOf(resources.claim, place.source, 'data'));
    if (source && !this.namespaces.isMeant(wish, this.namespaces.homeOf(source.metadata.uid))) return false;
    const isMeant = (consent: string | undefined) => this.namespaces.isMeant(consent, home);
    const isGranted = namespace === place.target && this.grants.some((grant) => isThere(grant) && isMeant(grant));
    const uid = source?.metadata.uid;
    const isForSource = ({ spec }: TransferApproval) => !spec.source.uid || !uid || spec.source.uid === uid;
    const isAgreed = (approval: TransferApproval) => matches(request, approval) && isForSource(approval);
    return isGranted || approvals.some((approval) => isAgreed(approval) && isMeant(approval.metadata.uid));
  }

  private consents(): string[] {
    // Whoever deletes what they wrote has taken it back, though somebody's finalizer may hold it.
    const isThere = ({ metadata }: ClusterObject) => metadata.deletionTimestamp === undefined;
    const requests = this.cluster.all(resources.transferRequest).filter(isThere);
    const approvals = this.cluster.all(resources.transferApproval).filter(isThere);
    for (const request of requests) this.requests.set(request.metadata.uid ?? '', request);
    for (const approval of approvals) this.approvals.set(approval.metadata.uid ?? '', approval);
    // An approval is for one transfer: once that is complete it agrees to nothing more.
    const unused = approvals.filter(({ status }) => !status?.complete);
    const grants = this.cluster.all(resources.referenceGrant).map(({ metadata }) => metadata.uid ?? '');
    this.grants = [...new Set([...this.grants, ...grants])];
    return [...[...requests, ...unused].map(({ metadata }) => metadata.uid ?? ''), ...grants];
  }

  private offers(): string[] {
    return this.cluster
      .all(resources.claim)
      .flatMap(({ metadata: { uid, annotations = {} } }) => [
        ...(annotations.transferRequest ? [`offered ${uid} to ${annotations.transferRequest}`] : []),
        ...(annotations.transferAccept === `${place.source}/data` ? [`accepted by ${uid}`] : []),
      ]);
  }

  private switches(): string[] {
    const { data = {} } = this.cluster.read(nameOf(resources.configMap, system, 'longshore')) ?? {};
    const isOff = (key: string) => data[key] === 'off';
    return [
      ...(isOff('transfers-by-request') ? [] : ['requests on']),
      ...(isOff('transfers-by-annotation') ? [] : ['annotations on']),
    ];
  }
}
