import type {
  Claim,
  ConfigMap,
  ReferenceGrant,
  TransferApproval,
  TransferRequest,
} from '../../../lib/cluster/objects.ts';
import { nameOf, resources } from '../../../lib/cluster/resources.ts';
import { matches } from '../../../lib/transfers/by-request/consent.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import { place, system } from './objects.ts';

/** What was read this long before a write that relies on it may be relied on. */
const trustMs = 5_500;

/** What users and administrators want, and when each of it was last so. A write relies on what was so a moment ago. */
export class Wishes {
  private readonly cluster: FakeCluster;
  private readonly lastSeen = new Map<string, number>();
  private readonly requests = new Map<string, TransferRequest>();
  private readonly approvals = new Map<string, TransferApproval>();
  private present: string[] = [];

  constructor(cluster: FakeCluster) {
    this.cluster = cluster;
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
      .some(([, request]) => {
        const isGranted = isThere('granted') && request.metadata.namespace === place.target;
        return isGranted || approvals.some(([, approval]) => matches(request, approval));
      });
  }

  private consents(): string[] {
    const requests = this.cluster.all<TransferRequest>(resources.transferRequest);
    const approvals = this.cluster.all<TransferApproval>(resources.transferApproval);
    for (const request of requests) this.requests.set(request.metadata.uid ?? '', request);
    for (const approval of approvals) this.approvals.set(approval.metadata.uid ?? '', approval);
    // An approval is for one transfer: once that is complete it agrees to nothing more.
    const unused = approvals.filter(({ status }) => !status?.complete);
    const uids = [...requests, ...unused].map(({ metadata }) => metadata.uid ?? '');
    return this.cluster.all<ReferenceGrant>(resources.referenceGrant).length > 0 ? [...uids, 'granted'] : uids;
  }

  private offers(): string[] {
    return this.cluster
      .all<Claim>(resources.claim)
      .flatMap(({ metadata: { uid, annotations = {} } }) => [
        ...(annotations.transferRequest ? [`offered ${uid} to ${annotations.transferRequest}`] : []),
        ...(annotations.transferAccept === `${place.source}/data` ? [`accepted by ${uid}`] : []),
      ]);
  }

  private switches(): string[] {
    const { data = {} } = this.cluster.read<ConfigMap>(nameOf(resources.configMap, system, 'longshore')) ?? {};
    const isOff = (key: string) => data[key] === 'off';
    return [
      ...(isOff('transfers-by-request') ? [] : ['requests on']),
      ...(isOff('transfers-by-annotation') ? [] : ['annotations on']),
    ];
  }
}
