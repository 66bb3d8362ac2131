import type { Claim, TransferRequest, Volume } from '../../../kubernetes/objects.ts';
import { isOf } from '../../../kubernetes/of-kind.ts';
import { displayName, type Key, keyNamed, resources } from '../../../kubernetes/resources.ts';
import { NameSets } from '../../../reconcile/name-sets.ts';
import type { Change } from '../../../reconcile/routing.ts';
import { fenceOf, transferredBy } from './claim-marks.ts';
import { recordOf, undoingOf } from './volume-marks.ts';

/** Which keys of transfers wait for which names. */
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
  /** Request → the claims whose fences name it, with their volumes: anybody can write a fence on a claim of theirs. */
  private readonly fencedByRequest = new Map<string, Map<string, string>>();
  /** Request → the volume that carries its record, and whether the volume has left the source. */
  private readonly recordedByRequest = new Map<string, { volume: string; target: string; hasLeft: boolean }>();
  /** Volume → the request whose transfer is being rolled back on it. */
  private readonly undoingByVolume = new Map<string, Key>();
  private newlyRolledBack: { volume: string; request: Key } | undefined;
  /** Target claims that are to be bound, and those that have been since the change before. */
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
    // Anybody can write a fence on a claim of theirs: as long as the request is there it tells which claim is meant.
    const source = this.sources.get(name);
    const fenced = [...(this.fencedByRequest.get(name) ?? [])].filter(([claim]) => !source || claim === source);
    return [...new Set([...(recorded ? [recorded.volume] : []), ...fenced.map(([, volume]) => volume)])];
  }

  /** The volumes whose records name this claim as the target: its place may have been somebody else's. */
  volumesBoundFor(claim: string): string[] {
    return [...this.recordedByRequest.values()].filter(({ target }) => target === claim).map(({ volume }) => volume);
  }

  /** Whether a request has passed the point of no return while its volume is still the source's. */
  isLeaving(request: Key): boolean {
    return this.recordedByRequest.get(displayName(request))?.hasLeft === false;
  }

  /** The request whose rollback on this volume the change that was noted last has ended: it may be wanted again by now. */
  justRolledBack(volume: string): Key | undefined {
    return this.newlyRolledBack?.volume === volume ? this.newlyRolledBack.request : undefined;
  }

  knowsRequest(request: Key): boolean {
    return this.requests.has(displayName(request));
  }

  /** Whether a request that is known asks for this approval. */
  isNamed(approval: Key, request: Key): boolean {
    return this.requests.get(displayName(request)) === displayName(approval);
  }

  /** The requests that ask for an approval, whatever it says itself. */
  requestsFor(approval: Key): Key[] {
    return this.requestsByApproval.of(displayName(approval)).map(keyNamed);
  }

  /** What waits for something that its source's namespace may allow. */
  requestsTo(namespace: string): Key[] {
    return this.requestsByNamespace.of(namespace).map(keyNamed);
  }

  /** Whether the change that was noted last bound this target. */
  hasJustBound(target: string): boolean {
    return this.newlyBound === target;
  }

  private noteRequest(type: Change['type'], { metadata, spec, status }: TransferRequest): void {
    const key: Key = { namespace: metadata.namespace ?? '', name: metadata.name };
    const source = { namespace: spec.source?.namespace ?? '', name: spec.source?.name ?? '' };
    const target = { namespace: key.namespace ?? '', name: spec.targetName ?? '' };
    const isOver = type === 'deleted' || status?.complete === true;
    const approval = `${source.namespace}/${spec.approvalName ?? ''}`;
    // A request that is being deleted requests nothing any more.
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
