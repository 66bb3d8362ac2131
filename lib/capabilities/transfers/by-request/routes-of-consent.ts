import type { ReferenceGrant, TransferApproval, TransferRequest } from '../../../kubernetes/objects.ts';
import type { Key } from '../../../kubernetes/resources.ts';
import type { Change, Route } from '../../../reconcile/routing.ts';
import type { ApprovalIndex } from './approval-index.ts';
import { hasExpired } from './expiry.ts';
import { begunVolumes, keyOf, toApproval, toRequest } from './route-to.ts';
import type { WaitIndex } from './wait-index.ts';

/** Which keys are concerned by a change of what people want: requests, approvals, grants. */

export function routesOfRequest(
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
  if (type !== 'listed' && observed) return approvals.hasJustBeenConfirmed() ? [toRequest(key)] : [];
  // An approval that the request does not ask for is told by its own key.
  const others = type === 'listed' ? [] : approving.filter((approval) => !index.isNamed(approval, key));
  return [toRequest(key), ...others.map(toApproval)];
}

export function routesOfApproval(
  { type, seenAt }: Change,
  approval: TransferApproval,
  index: WaitIndex,
  approvals: ApprovalIndex,
): Route[] {
  const { metadata, spec, status } = approval;
  const request = { namespace: spec.targetNamespace, name: spec.requestName };
  if (type === 'deleted' || metadata.deletionTimestamp) return wantedBy(request, index);
  const own = toApproval(keyOf(approval));
  if (status?.complete) return type === 'listed' && hasExpired(approval, seenAt) ? [own] : [];
  if (type === 'updated') return approvals.hasJustBeenConfirmed() ? wantedBy(request, index) : [];
  if (index.isNamed(keyOf(approval), request)) return [toRequest(request)];
  // Those who ask for it, and whom it does not name, are told that it differs.
  return [own, ...index.requestsFor(keyOf(approval)).map(toRequest)];
}

/** A grant stands for approvals that nobody has written: what it allows, or allows no longer, is up to the requests. */
export function routesOfGrant({ type }: Change, { metadata, spec }: ReferenceGrant, index: WaitIndex): Route[] {
  const namespaces = (spec?.from ?? []).map(({ namespace }) => namespace);
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
