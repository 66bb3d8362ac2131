import type { Claim, TransferRequest, Volume } from '../../../kubernetes/objects.ts';
import { isOf } from '../../../kubernetes/of-kind.ts';
import { displayName, type Key, keyNamed, resources } from '../../../kubernetes/resources.ts';
import { NameSets } from '../../../reconcile/name-sets.ts';
import type { Change } from '../../../reconcile/routing.ts';
import { fenceOf, transferredBy } from './claim-marks.ts';
import { recordOf, undoingOf } from './volume-marks.ts';

/** The keys of transfers that wait for each name. */
export class WaitIndex {
  /** Claim → the requests that concern it and are not complete. */
  private readonly requestsByClaim = new NameSets();
  /** The requests that exist, complete or not, and the approvals that they name. */
  private readonly requests = new Map<string, string>();
  /** Request → the claim that it asks for. */
  private readonly sources = new Map<string, string>();
  /** Approval → the requests that ask for it. */
  private readonly requestsByApproval = new NameSets();
  /** Namespace → the requests for its claims that are not complete. */
  private readonly requestsByNamespace = new NameSets();
  /** Request → the claims whose fences name it, with their volumes: anyone can write a fence on a claim of theirs. */
  private readonly fencedByRequest = new Map<string, Map<string, string>>();
  /** Request → the volume with its record; `hasLeft` if the volume has left the source. */
  private readonly recordedByRequest = new Map<string, { volume: string; target: string; hasLeft: boolean }>();
  /** Volume → the request whose transfer is being rolled back on it. */
  private readonly undoingByVolume = new Map<string, Key>();
  private newlyRolledBack: { volume: string; request: Key } | undefined;
  /** Target claims that are yet to be bound, and the one that the change that was noted last has bound. */
  private readonly unboundTargets = new Set<string>();
  private newlyBound: string | undefined;

  note(change: Change): void {
    const { type } = change;
    if (isOf(change, resources.transferRequest)) this.noteRequest(type, change.object);
    if (isOf(change, resources.claim)) this.noteClaim(type, change.object);
    if (isOf(change, resources.volume)) this.noteVolume(type, change.object);
  }

  requestsWaitingFor(claim: string): Key[] {
    return this.requestsByClaim.of(claim).map(keyNamed);
  }

  /** The volumes that a request has begun to move. */
  volumesOf(request: Key): string[] {
    const name = displayName(request);
    const recorded = this.recordedByRequest.get(name);
    // Anyone can write a fence on a claim of theirs: as long as the request exists it determines the claim.
    const source = this.sources.get(name);
    const fenced = [...(this.fencedByRequest.get(name) ?? [])].filter(([claim]) => !source || claim === source);
    return [...new Set([...(recorded ? [recorded.volume] : []), ...fenced.map(([, volume]) => volume)])];
  }

  /** The volumes whose records name this claim as the target: its name may have been in use by another claim. */
  volumesBoundFor(claim: string): string[] {
    return [...this.recordedByRequest.values()].filter(({ target }) => target === claim).map(({ volume }) => volume);
  }

  /** True if a request has passed the point of no return while the source still has its volume. */
  isLeaving(request: Key): boolean {
    return this.recordedByRequest.get(displayName(request))?.hasLeft === false;
  }

  /**
   * The request whose rollback on this volume ended with the change that was noted last: the volume may be requested
   * again by now.
   */
  justRolledBack(volume: string): Key | undefined {
    return this.newlyRolledBack?.volume === volume ? this.newlyRolledBack.request : undefined;
  }

  knowsRequest(request: Key): boolean {
    return this.requests.has(displayName(request));
  }

  /** True if a known request names this approval. */
  isNamed(approval: Key, request: Key): boolean {
    return this.requests.get(displayName(request)) === displayName(approval);
  }

  /** The requests that name an approval, whatever the approval names itself. */
  requestsFor(approval: Key): Key[] {
    return this.requestsByApproval.of(displayName(approval)).map(keyNamed);
  }

  /** The requests that wait for a consent that their source's namespace may give. */
  requestsTo(namespace: string): Key[] {
    return this.requestsByNamespace.of(namespace).map(keyNamed);
  }

  /** True if the change that was noted last bound this target. */
  hasJustBound(target: string): boolean {
    return this.newlyBound === target;
  }

  private noteRequest(type: Change['type'], { metadata, spec, status }: TransferRequest): void {
    const key: Key = { namespace: metadata.namespace ?? '', name: metadata.name };
    const source = { namespace: spec.source?.namespace ?? '', name: spec.source?.name ?? '' };
    const target = { namespace: key.namespace ?? '', name: spec.targetName ?? '' };
    const isOver = type === 'deleted' || status?.complete === true;
    const approval = `${source.namespace}/${spec.approvalName ?? ''}`;
    // A deleted request asks for nothing any more.
    if (type === 'deleted') this.sources.delete(displayName(key));
    else this.sources.set(displayName(key), displayName(source));
    if (type === 'deleted') this.requests.delete(displayName(key));
    else this.requests.set(displayName(key), metadata.deletionTimestamp ? '' : approval);
    const name = displayName(key);
    for (const [requests, by] of [
      [this.requestsByApproval, approval],
      [this.requestsByNamespace, source.namespace],
      [this.requestsByClaim, displayName(source)],
      [this.requestsByClaim, displayName(target)],
    ] as const) {
      if (isOver) requests.delete(by, name);
      else requests.add(by, name);
    }
  }

  private noteClaim(type: Change['type'], claim: Claim): void {
    const name = displayName(claim.metadata);
    const exists = type !== 'deleted';
    const fence = exists ? fenceOf(claim) : undefined;
    const volume = claim.spec.volumeName;
    this.forgetFence(name);
    if (fence && volume) this.noteFence(displayName(fence), name, volume);
    const isBound = claim.status?.phase === 'Bound';
    const wasWaitedFor = this.unboundTargets.delete(name);
    this.newlyBound = exists && isBound && wasWaitedFor ? name : undefined;
    if (exists && !isBound && transferredBy(claim)) this.unboundTargets.add(name);
  }

  private noteFence(request: string, claim: string, volume: string): void {
    const fenced = this.fencedByRequest.get(request) ?? new Map<string, string>();
    this.fencedByRequest.set(request, fenced.set(claim, volume));
  }

  private noteVolume(type: Change['type'], volume: Volume): void {
    const { name } = volume.metadata;
    this.noteRollback(name, type === 'deleted' ? undefined : undoingOf(volume));
    const record = type === 'deleted' ? undefined : recordOf(volume);
    for (const [request, recorded] of this.recordedByRequest) {
      if (recorded.volume === name) this.recordedByRequest.delete(request);
    }
    if (!record) return;
    const hasLeft = volume.spec.claimRef?.uid !== record.source.uid;
    this.recordedByRequest.set(displayName(record.transfer), {
      volume: name,
      target: displayName(record.target),
      hasLeft,
    });
  }

  private noteRollback(volume: string, undoing: Key | undefined): void {
    const request = this.undoingByVolume.get(volume);
    this.newlyRolledBack = request && !undoing ? { volume, request } : undefined;
    if (undoing) this.undoingByVolume.set(volume, undoing);
    else this.undoingByVolume.delete(volume);
  }

  private forgetFence(claim: string): void {
    for (const [request, fenced] of this.fencedByRequest) {
      if (fenced.delete(claim) && fenced.size === 0) this.fencedByRequest.delete(request);
    }
  }
}
