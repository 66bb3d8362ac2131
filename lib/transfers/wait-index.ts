import type { Claim, TransferRequest } from '../cluster/objects.ts';
import { displayName, type Key, resources } from '../cluster/resources.ts';
import type { Change } from '../reconcile/routing.ts';
import { fenceOf, transferredBy } from './marks.ts';

/** Who waits for what in transfers, by name. */
export class WaitIndex {
  /** Claim → the requests that concern it and are not complete. */
  private readonly requestsByClaim = new Map<string, Map<string, Key>>();
  /** The requests that exist, complete or not. */
  private readonly requests = new Set<string>();
  /** Request → the claim that it has fenced, and that claim's volume. */
  private readonly fencedByRequest = new Map<string, { claim: string; volume: string }>();
  /** Target claims that are to be bound, and those that have been since the change before. */
  private readonly unboundTargets = new Set<string>();
  private newlyBound: string | undefined;

  note({ type, resource, object }: Change): void {
    if (resource === resources.transferRequest) this.noteRequest(type, object as TransferRequest);
    if (resource === resources.claim) this.noteClaim(type, object as Claim);
  }

  requestsWaitingFor(claim: string): Key[] {
    return [...(this.requestsByClaim.get(claim)?.values() ?? [])];
  }

  volumeFencedBy(request: Key): string | undefined {
    return this.fencedByRequest.get(displayName(request))?.volume;
  }

  knowsRequest(request: Key): boolean {
    return this.requests.has(displayName(request));
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
    if (type === 'deleted') this.requests.delete(displayName(key));
    else this.requests.add(displayName(key));
    for (const claim of [source, target].map(displayName)) {
      const waiting = this.requestsByClaim.get(claim) ?? new Map<string, Key>();
      if (isOver) waiting.delete(displayName(key));
      else waiting.set(displayName(key), key);
      if (waiting.size === 0) this.requestsByClaim.delete(claim);
      else this.requestsByClaim.set(claim, waiting);
    }
  }

  private noteClaim(type: Change['type'], claim: Claim): void {
    const name = displayName(claim.metadata);
    const exists = type !== 'deleted';
    const fence = exists ? fenceOf(claim) : undefined;
    const volume = claim.spec.volumeName;
    if (fence && volume) this.fencedByRequest.set(displayName(fence), { claim: name, volume });
    else this.forgetFence(name);
    const isBound = claim.status?.phase === 'Bound';
    const wasWaitedFor = this.unboundTargets.delete(name);
    this.newlyBound = exists && isBound && wasWaitedFor ? name : undefined;
    if (exists && !isBound && transferredBy(claim)) this.unboundTargets.add(name);
  }

  private forgetFence(claim: string): void {
    for (const [request, fenced] of this.fencedByRequest) {
      if (fenced.claim === claim) this.fencedByRequest.delete(request);
    }
  }
}
