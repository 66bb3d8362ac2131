import type { ReferenceGrant, TransferApproval, TransferRequest } from '../../../kubernetes/objects.ts';
import type { Key } from '../../../kubernetes/resources.ts';
import { lacksReady } from '../../../reconcile/ready.ts';
import type { Change, Route } from '../../../reconcile/routing.ts';
import type { ApprovalIndex } from './approval-index.ts';
import { begunVolumes, forOthers, keyOf, toApproval, toRequest } from './route-to.ts';
import { hasExpired } from './ttl-after-finished.ts';
import type { WaitIndex } from './wait-index.ts';

/** Maps changes of requests, approvals and grants to the keys that they concern. */

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
    return toOthers(type, [...begunVolumes(key, index), ...approving.map(toApproval)]);
  }
  if (status?.complete) return type === 'listed' && isDue(request, seenAt) ? [toRequest(key)] : [];
  // A status that has observed this generation is our own write: anything that the request waits for causes a message
  // of its own.
  const observed = status?.observedGeneration !== undefined && status.observedGeneration === metadata.generation;
  if (type !== 'listed' && observed) return approvals.hasJustBeenConfirmed() ? [toRequest(key)] : [];
  // An approval that the request does not name is handled by its own key.
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
  if (type === 'deleted' || metadata.deletionTimestamp) return toOthers(type, wantedBy(request, index));
  const own = toApproval(keyOf(approval));
  if (status?.complete) return type === 'listed' && isDue(approval, seenAt) ? [own] : [];
  if (type === 'updated') return approvals.hasJustBeenConfirmed() ? wantedBy(request, index) : [];
  if (index.isNamed(keyOf(approval), request)) return [toRequest(request)];
  // The requests that name it, and that it does not name, report that it differs.
  return [own, ...index.requestsFor(keyOf(approval)).map(toRequest)];
}

/** A grant replaces approvals: requests have to check what it allows, or no longer allows. */
export function routesOfGrant({ type }: Change, { metadata, spec }: ReferenceGrant, index: WaitIndex): Route[] {
  const namespaces = (spec?.from ?? []).map(({ namespace }) => namespace);
  const concerned = index
    .requestsTo(metadata.namespace ?? '')
    // The namespaces that a grant named before a change are unknown.
    .filter(({ namespace }) => type === 'updated' || (namespace !== undefined && namespaces.includes(namespace)))
    .flatMap((request) => wantedBy(request, index));
  return toOthers(type, concerned);
}

/** Complete, and not left alone yet: its time is over, or an earlier version has not said that it is ready. */
function isDue(object: TransferRequest | TransferApproval, now: Date): boolean {
  return hasExpired(object, now) || lacksReady(object);
}

/** Those whose consent is going or is given have nothing left to do themselves: whoever waits is listed as well. */
function toOthers(type: Change['type'], routes: Route[]): Route[] {
  return type === 'listed' ? routes.map(forOthers) : routes;
}

/** Once a transfer has begun, the volume knows more than the request does. */
function wantedBy(request: Key, index: WaitIndex): Route[] {
  const volumes = begunVolumes(request, index);
  return volumes.length > 0 ? volumes : [toRequest(request)];
}
