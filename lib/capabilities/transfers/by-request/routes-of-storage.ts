import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import type { Place } from '../../../kubernetes/places.ts';
import { displayName, type Key } from '../../../kubernetes/resources.ts';
import type { Change, Route } from '../../../reconcile/routing.ts';
import { fenceOf, isFenced, otherFinalizers, transferOf, transferredBy, transferredFrom } from './claim-marks.ts';
import { begunVolumes, forOthers, toRequest, toVolume } from './route-to.ts';
import { recordOf, undoingOf } from './volume-marks.ts';
import type { WaitIndex } from './wait-index.ts';

/** Maps changes of claims and volumes to the keys that they concern. */

export function routesOfVolume({ type }: Change, volume: Volume, index: WaitIndex): Route[] {
  const rolledBack = index.justRolledBack(volume.metadata.name);
  if (rolledBack && type !== 'listed') return [toRequest(rolledBack)];
  const isUnfinished = recordOf(volume) !== undefined || undoingOf(volume) !== undefined;
  return type === 'listed' && isUnfinished ? [toVolume(volume.metadata.name)] : [];
}

export function routesOfClaim({ type }: Change, claim: Claim, index: WaitIndex): Route[] {
  const volume = claim.spec.volumeName;
  if (type !== 'deleted' && isFenced(claim) && volume) {
    const fence = fenceOf(claim);
    // A request may be deleted before the fence added for it is seen: each kind is watched separately.
    const isAbandoned = !fence || !index.knowsRequest(fence);
    return type === 'listed' || isAbandoned || isReleased(claim) ? [toVolume(volume)] : [];
  }
  const by = transferredBy(claim);
  // The removal of a moved source, and the creation of a target, concern only the requests that wait for them in vain.
  const moved = type === 'deleted' ? transferOf(claim) : undefined;
  // Unless it disappeared before its volume had moved, because someone removed its finalizers.
  if (moved && index.isLeaving(moved)) return begunVolumes(moved, index);
  const concerned = routesOfWaiting(claim, [moved, by], index);
  const waiting = type === 'listed' ? concerned.map(forOthers) : concerned;
  if (by && volume) return [...waiting, ...routesOfTarget(type, claim, by, volume, index)];
  if (type !== 'deleted') return waiting;
  return [...waiting, ...index.volumesBoundFor(displayName(claim.metadata)).map(toVolume)];
}

/** The requests that wait for a claim, except its own. */
function routesOfWaiting({ metadata }: Claim, own: (Key | undefined)[], index: WaitIndex): Route[] {
  const requests = index.requestsWaitingFor(displayName(metadata));
  if (requests.length === 0) return [];
  const ownNames = own.map((key) => key && displayName(key));
  return requests
    .filter((key) => !ownNames.includes(displayName(key)))
    .flatMap((key) => (index.volumesOf(key).length === 0 ? [toRequest(key)] : begunVolumes(key, index)));
}

function routesOfTarget(
  type: Change['type'],
  claim: Claim,
  { namespace, name }: Place,
  volume: string,
  index: WaitIndex,
): Route[] {
  // A target that is deleted before it has its volume is recreated, or its transfer is rolled back.
  if (type === 'deleted') return [toVolume(volume)];
  if (type === 'listed') return transferredFrom(claim) ? [] : [toRequest({ namespace, name }), toVolume(volume)];
  return index.hasJustBound(displayName(claim.metadata)) ? [toVolume(volume)] : [];
}

/** True if only our own finalizer holds the claim. */
function isReleased(claim: Claim): boolean {
  return claim.metadata.deletionTimestamp !== undefined && otherFinalizers(claim).length === 0;
}
