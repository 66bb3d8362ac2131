import type {
  Claim,
  ClusterObject,
  ReferenceGrant,
  TransferApproval,
  TransferRequest,
  Volume,
} from '../../cluster/objects.ts';
import { displayName, type Key, resources } from '../../cluster/resources.ts';
import type { Capability, Change, Route } from '../../reconcile/routing.ts';
import type { Place } from '../places.ts';
import { ApprovalIndex } from './approval-index.ts';
import { hasExpired } from './expiry.ts';
import {
  fenceOf,
  isFenced,
  otherFinalizers,
  recordOf,
  transferOf,
  transferredBy,
  transferredFrom,
  undoingOf,
} from './marks.ts';
import { WaitIndex } from './wait-index.ts';

/**
 * Transfers by request and approval: which change concerns which request or volume. A change that our own steps made, and
 * that nothing waits for, costs no message. Pods and quotas are not watched: what waits for those goes on at the next list.
 */
export const transfersByRequest: Capability = {
  name: 'transfers by request',
  resources: [
    resources.volume,
    resources.claim,
    resources.referenceGrant,
    resources.transferApproval,
    resources.transferRequest,
  ],
  createRouter: () => {
    const [index, approvals] = [new WaitIndex(), new ApprovalIndex()];
    const note = (change: Change) => {
      index.note(change);
      approvals.note(change);
    };
    return { note, routesOf: (change) => routesOf(change, index, approvals) };
  },
};

function routesOf(change: Change, index: WaitIndex, approvals: ApprovalIndex): Route[] {
  switch (change.resource) {
    case resources.transferRequest:
      return routesOfRequest(change, change.object as TransferRequest, index, approvals);
    case resources.transferApproval:
      return routesOfApproval(change, change.object as TransferApproval, index);
    case resources.referenceGrant:
      return routesOfGrant(change, change.object as ReferenceGrant, index);
    case resources.claim:
      return routesOfClaim(change, change.object as Claim, index);
    case resources.volume:
      return routesOfVolume(change, change.object as Volume, index);
    default:
      return [];
  }
}

function routesOfVolume({ type }: Change, volume: Volume, index: WaitIndex): Route[] {
  const rolledBack = index.justRolledBack(volume.metadata.name);
  if (rolledBack) return [toRequest(rolledBack)];
  const isUnfinished = recordOf(volume) !== undefined || undoingOf(volume) !== undefined;
  return type === 'listed' && isUnfinished ? [toVolume(volume.metadata.name)] : [];
}

function routesOfRequest(
  { type, seenAt }: Change,
  request: TransferRequest,
  index: WaitIndex,
  approvals: ApprovalIndex,
): Route[] {
  const { metadata, status } = request;
  const key = keyOf(request);
  const approving = approvals.waitingFor(key);
  if (type === 'deleted' || metadata.deletionTimestamp) {
    return [...begunVolumes(key, index), ...approving.map(toApproval)];
  }
  if (status?.complete) return type === 'listed' && hasExpired(request, seenAt) ? [toRequest(key)] : [];
  // A status that has observed this generation was written by us: whatever it waits for brings its own message.
  const observed = status?.observedGeneration !== undefined && status.observedGeneration === metadata.generation;
  if (type !== 'listed' && observed) return [];
  // An approval that the request does not ask for is told by its own key.
  const others = type === 'listed' ? [] : approving.filter((approval) => !index.isNamed(approval, key));
  return [toRequest(key), ...others.map(toApproval)];
}

function routesOfApproval({ type, seenAt }: Change, approval: TransferApproval, index: WaitIndex): Route[] {
  const { metadata, spec, status } = approval;
  const request = { namespace: spec.targetNamespace, name: spec.requestName };
  if (type === 'deleted' || metadata.deletionTimestamp) return wantedBy(request, index);
  const own = toApproval(keyOf(approval));
  if (status?.complete) return type === 'listed' && hasExpired(approval, seenAt) ? [own] : [];
  if (type === 'updated') return [];
  if (index.isNamed(keyOf(approval), request)) return [toRequest(request)];
  // Those who ask for it, and whom it does not name, are told that it differs.
  return [own, ...index.requestsFor(keyOf(approval)).map(toRequest)];
}

/** A grant stands for approvals that nobody has written: what it allows, or allows no longer, is up to the requests. */
function routesOfGrant({ type }: Change, { metadata, spec }: ReferenceGrant, index: WaitIndex): Route[] {
  const namespaces = (spec.from ?? []).map(({ namespace }) => namespace);
  return (
    index
      .requestsTo(metadata.namespace ?? '')
      // Whom a grant named until it was changed it does not tell.
      .filter(({ namespace }) => type === 'updated' || (namespace !== undefined && namespaces.includes(namespace)))
      .flatMap((request) => wantedBy(request, index))
  );
}

/** Where a request has begun, the volume knows more than the request does. */
function wantedBy(request: Key, index: WaitIndex): Route[] {
  const volumes = begunVolumes(request, index);
  return volumes.length > 0 ? volumes : [toRequest(request)];
}

function routesOfClaim({ type }: Change, claim: Claim, index: WaitIndex): Route[] {
  const volume = claim.spec.volumeName;
  if (type !== 'deleted' && isFenced(claim) && volume) {
    const fence = fenceOf(claim);
    // A request may go before the fence that was raised for it is seen: each kind is watched by itself.
    const isAbandoned = !fence || !index.knowsRequest(fence);
    return type === 'listed' || isAbandoned || isReleased(claim) ? [toVolume(volume)] : [];
  }
  const by = transferredBy(claim);
  // A source that goes because it was moved, and a target that is made, concern only those who wait for them in vain.
  const moved = type === 'deleted' ? transferOf(claim) : undefined;
  // Unless it vanished before its volume had left it, because somebody took its finalizers off.
  if (moved && index.isLeaving(moved)) return begunVolumes(moved, index);
  const own = [moved, by].map((key) => key && displayName(key));
  const waiting = index
    .requestsWaitingFor(displayName(claim.metadata))
    .filter((key) => !own.includes(displayName(key)))
    .flatMap((key) => (index.volumesOf(key).length === 0 ? [toRequest(key)] : begunVolumes(key, index)));
  if (by && volume) return [...waiting, ...routesOfTarget(type, claim, by, volume, index)];
  const bound = type === 'deleted' ? index.volumesBoundFor(displayName(claim.metadata)) : [];
  return [...waiting, ...bound.map(toVolume)];
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
  if (type === 'listed' && !transferredFrom(claim)) return [toRequest({ namespace, name }), toVolume(volume)];
  return index.hasJustBound(displayName(claim.metadata)) ? [toVolume(volume)] : [];
}

/** Nothing but our own finalizer holds the claim any more. */
function isReleased(claim: Claim): boolean {
  return claim.metadata.deletionTimestamp !== undefined && otherFinalizers(claim).length === 0;
}

function begunVolumes(request: Key, index: WaitIndex): Route[] {
  return index.volumesOf(request).map(toVolume);
}

function toRequest({ namespace, name }: Key): Route {
  const key = namespace === undefined ? { name } : { namespace, name };
  return { function: 'match-transfer', resource: resources.transferRequest, key };
}

function toApproval(key: Key): Route {
  return { function: 'match-approval', resource: resources.transferApproval, key };
}

function toVolume(name: string): Route {
  return { function: 'rebind-volume', resource: resources.volume, key: { name } };
}

function keyOf({ metadata }: ClusterObject): Key {
  return { namespace: metadata.namespace ?? '', name: metadata.name };
}
