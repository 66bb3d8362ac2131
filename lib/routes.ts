import type { Claim, ClusterObject, TransferApproval, TransferRequest, Volume } from './cluster/objects.ts';
import { displayName, type Resource, resources } from './cluster/resources.ts';
import type { Key } from './reconcile/step.ts';
import {
  fenceOf,
  otherFinalizers,
  type Place,
  recordOf,
  transferOf,
  transferredBy,
  transferredFrom,
} from './transfers/marks.ts';

/**
 * Which change concerns which key: the one place where the functions are wired to the cluster. A change that our own
 * steps made, and that nothing waits for, costs no message.
 */
export interface Change {
  /** `listed` is what a list found: nothing is known of what happened before, so everything unfinished is taken up. */
  type: 'listed' | 'added' | 'updated' | 'deleted';
  resource: Resource;
  object: ClusterObject;
}

export interface Route {
  function: string;
  resource: Resource;
  key: Key;
}

/** The kinds that are watched. What others are waited for by is in the index. */
export const watchedResources: Resource[] = [
  resources.volume,
  resources.claim,
  resources.transferApproval,
  resources.transferRequest,
];

/**
 * What is waited for, as far as the changed object itself does not tell. It holds names only, and is filled by the lists
 * at start and by every change before that change's own message is sent; so no wake-up is lost.
 */
export class WaitIndex {
  /** Claim → the requests that concern it and are not complete. */
  readonly requestsByClaim = new Map<string, Map<string, Key>>();
  /** Request → the claim that it has fenced, and that claim's volume. */
  readonly fencedByRequest = new Map<string, { claim: string; volume: string }>();
  /** Target claims that are to be bound. */
  readonly unboundTargets = new Set<string>();

  note({ type, resource, object }: Change): void {
    if (resource === resources.transferRequest) this.noteRequest(type, object as TransferRequest);
    if (resource === resources.claim) this.noteClaim(type, object as Claim);
  }

  private noteRequest(type: Change['type'], request: TransferRequest): void {
    const key = keyOf(request);
    const { source, targetName } = request.spec;
    const claims = [
      { namespace: source?.namespace ?? '', name: source?.name ?? '' },
      { namespace: key.namespace ?? '', name: targetName ?? '' },
    ];
    const over = type === 'deleted' || request.status?.complete === true;
    for (const claim of claims.map(displayName)) {
      const waiting = this.requestsByClaim.get(claim) ?? new Map<string, Key>();
      if (over) waiting.delete(displayName(key));
      else waiting.set(displayName(key), key);
      if (waiting.size === 0) this.requestsByClaim.delete(claim);
      else this.requestsByClaim.set(claim, waiting);
    }
  }

  private noteClaim(type: Change['type'], claim: Claim): void {
    const name = displayName(keyOf(claim));
    const fence = type === 'deleted' ? undefined : fenceOf(claim);
    const volume = claim.spec.volumeName;
    if (fence && volume) this.fencedByRequest.set(displayName(fence.transfer), { claim: name, volume });
    if (!fence) this.forgetFence(name);
    if (type !== 'deleted' && transferredBy(claim) && claim.status?.phase !== 'Bound') this.unboundTargets.add(name);
    if (type === 'deleted') this.unboundTargets.delete(name);
  }

  private forgetFence(claim: string): void {
    for (const [request, fenced] of this.fencedByRequest) {
      if (fenced.claim === claim) this.fencedByRequest.delete(request);
    }
  }
}

/** The keys that a change concerns. Call it after the index has taken note of the change. */
export function routesOf(change: Change, index: WaitIndex): Route[] {
  switch (change.resource) {
    case resources.transferRequest:
      return routesOfRequest(change, change.object as TransferRequest, index);
    case resources.transferApproval:
      return routesOfApproval(change, change.object as TransferApproval, index);
    case resources.claim:
      return routesOfClaim(change, change.object as Claim, index);
    case resources.volume:
      return change.type === 'listed' && recordOf(change.object as Volume)
        ? [toVolume(change.object.metadata.name)]
        : [];
    default:
      return [];
  }
}

function routesOfRequest({ type }: Change, request: TransferRequest, index: WaitIndex): Route[] {
  const { metadata, status } = request;
  if (type === 'deleted' || metadata.deletionTimestamp) return fencedVolume(keyOf(request), index);
  if (status?.complete) return [];
  // A status that has observed this generation was written by us: whatever it waits for brings its own message.
  const observed = status?.observedGeneration !== undefined && status.observedGeneration === metadata.generation;
  return type === 'listed' || !observed ? [toRequest(keyOf(request))] : [];
}

function routesOfApproval({ type }: Change, approval: TransferApproval, index: WaitIndex): Route[] {
  const { metadata, spec, status } = approval;
  const request = { namespace: spec.targetNamespace, name: spec.requestName };
  if (type === 'deleted' || metadata.deletionTimestamp) {
    const volumes = fencedVolume(request, index);
    return volumes.length > 0 ? volumes : [toRequest(request)];
  }
  if (status?.complete || type === 'updated') return [];
  return [toRequest(request)];
}

function routesOfClaim({ type }: Change, claim: Claim, index: WaitIndex): Route[] {
  const volume = claim.spec.volumeName;
  if (fenceOf(claim) && volume && type !== 'deleted') {
    return type === 'listed' || isReleased(claim) ? [toVolume(volume)] : [];
  }
  const by = transferredBy(claim);
  // A source that goes because it was moved, and a target that is made, concern only those who wait for them in vain.
  const own = [type === 'deleted' ? transferOf(claim) : undefined, by].map(
    (transfer) => transfer && displayName(transfer),
  );
  const waiting = [...(index.requestsByClaim.get(displayName(keyOf(claim)))?.values() ?? [])]
    .filter((key) => !own.includes(displayName(key)))
    .map(toRequest);
  return by && volume ? [...waiting, ...routesOfTarget(type, claim, by, volume, index)] : waiting;
}

function routesOfTarget(
  type: Change['type'],
  claim: Claim,
  { namespace, name }: Place,
  volume: string,
  index: WaitIndex,
): Route[] {
  // A target that goes before it has its volume is made anew, or its transfer is rolled back.
  if (type === 'deleted') return [toVolume(volume)];
  if (type === 'listed' && !transferredFrom(claim)) return [toRequest({ namespace, name })];
  const bound = claim.status?.phase === 'Bound' && index.unboundTargets.delete(displayName(keyOf(claim)));
  return bound ? [toVolume(volume)] : [];
}

/** Nothing but our own finalizer holds the claim any more. */
function isReleased(claim: Claim): boolean {
  return claim.metadata.deletionTimestamp !== undefined && otherFinalizers(claim).length === 0;
}

function fencedVolume(request: Key, index: WaitIndex): Route[] {
  const volume = index.fencedByRequest.get(displayName(request))?.volume;
  return volume === undefined ? [] : [toVolume(volume)];
}

function toRequest(key: Key): Route {
  return { function: 'match-transfer', resource: resources.transferRequest, key };
}

function toVolume(name: string): Route {
  return { function: 'rebind-volume', resource: resources.volume, key: { name } };
}

function keyOf({ metadata }: ClusterObject): Key {
  return metadata.namespace === undefined
    ? { name: metadata.name }
    : { namespace: metadata.namespace, name: metadata.name };
}
