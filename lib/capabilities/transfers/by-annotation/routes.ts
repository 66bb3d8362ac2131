import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import { isOf } from '../../../kubernetes/of-kind.ts';
import { displayName, keyNamed, resources } from '../../../kubernetes/resources.ts';
import type { Change, Route } from '../../../reconcile/routing.ts';
import { toVolume } from '../by-request/route-to.ts';
import { acceptedFrom, hasArrived, hasOffer, isComplete, isOffered, isPending } from './claim-marks.ts';
import type { OfferIndex } from './offer-index.ts';
import { offerOn, unfencingOn } from './volume-marks.ts';

export function routesOf(change: Change, index: OfferIndex): Route[] {
  if (isOf(change, resources.claim)) return routesOfClaim(change, change.object, index);
  if (isOf(change, resources.volume)) return routesOfVolume(change, change.object, index);
  return [];
}

function routesOfClaim({ type }: Change, claim: Claim, index: OfferIndex): Route[] {
  const name = displayName(claim.metadata);
  const isConcerned = type === 'listed' ? isUnfinished(claim) : index.hasChanged(name);
  if (!isConcerned) return [];
  const volumes = index.volumesOf(name).map(toVolume);
  // Anyone can offer something to any name: only the record of a claim's own transfer leads to all of it.
  const own = type === 'deleted' || index.isLedByVolumes(claim) ? [] : [toItself(claim)];
  // Claims that wait for this one in vain are informed when it changes hands.
  const stranded = type === 'listed' ? [] : index.strandedAcceptors(name).map(toClaim);
  return [...volumes, ...own, ...stranded];
}

/** Kept for each listed claim: no new strings are created. */
function toItself({ metadata: { namespace = '', name } }: Claim): Route {
  return { function: 'match-claim', resource: resources.claim, key: { namespace, name } };
}

function isUnfinished(claim: Claim): boolean {
  if (hasOffer(claim) || isOffered(claim) || isPending(claim)) return true;
  const accepted = acceptedFrom(claim);
  if (!accepted || isComplete(claim)) return false;
  return 'malformed' in accepted || !hasArrived(claim, accepted.place);
}

function routesOfVolume({ type }: Change, volume: Volume, index: OfferIndex): Route[] {
  const { name } = volume.metadata;
  if (type === 'listed') return offerOn(volume) || unfencingOn(volume) ? [toVolume(name)] : [];
  // The claim that has the volume by now may be offered, and have waited for the request.
  const holder = displayName(claimOf(volume));
  if (index.hasJustBecomeFree(name) && offerOn(volume)) return [toVolume(name)];
  if (index.hasJustBecomeFree(name) && index.isOffered(holder)) return [toClaim(holder)];
  const open = index.justUpForTaking(name);
  // The acceptance may have been seen before the volume: each kind is watched separately.
  if (open && index.isAccepted(open)) return [toVolume(name)];
  const ended = index.justEnded();
  if (!ended) return [];
  if (type === 'deleted') return [ended.source, ended.destination].map(toClaim);
  const isWithdrawn = volume.spec.claimRef && holder !== ended.destination;
  const waiting = isWithdrawn && index.isAccepted(ended) ? [ended.destination] : [];
  // A claim that has got its volume may be offered again at once.
  return [...waiting, ...(index.isOffered(ended.destination) ? [ended.destination] : [])].map(toClaim);
}

function claimOf({ spec }: Volume) {
  return { namespace: spec.claimRef?.namespace ?? '', name: spec.claimRef?.name ?? '' };
}

function toClaim(claim: string): Route {
  return { function: 'match-claim', resource: resources.claim, key: keyNamed(claim) };
}
