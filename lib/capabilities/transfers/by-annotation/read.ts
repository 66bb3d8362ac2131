import type { Cluster } from '../../../kubernetes/cluster.ts';
import { readNamespace } from '../../../kubernetes/namespace-consent.ts';
import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import { type Place, placeOf, samePlace } from '../../../kubernetes/places.ts';
import { readSettings } from '../../settings.ts';
import { readClaim, readPodsUsing, readVolume } from '../read.ts';
import type { TransferWorld } from '../world.ts';
import { offers } from './acceptance-checks.ts';
import { acceptedFrom, isAccepting, isOffered, isPending, offeredTo, volumeFor } from './claim-marks.ts';
import { type Offer, offerOn } from './volume-marks.ts';

/** Reads the objects of an offer that is recorded on a volume. */
export async function readOffer(cluster: Cluster, volume: Volume, offer: Offer, now: Date): Promise<TransferWorld> {
  const isHeld = volume.spec.claimRef?.uid === offer.source.uid;
  const [source, target, settings, pods] = await Promise.all([
    readClaim(cluster, offer.source),
    readClaim(cluster, offer.destination),
    readSettings(cluster),
    readPodsUsing(cluster, isHeld ? offer.source : undefined),
  ]);
  const namespaces = await readNamespaces(cluster, offer.source, offer.destination);
  return { volume, source, target, destination: offer.destination, ...namespaces, settings, pods, readAt: now };
}

/**
 * Read after the claims: a claim that exists before its namespace is read is in that namespace, and not in an earlier
 * one of the name.
 */
async function readNamespaces(cluster: Cluster, source: Place, destination: Place | undefined) {
  const isSame = source.namespace === destination?.namespace;
  const [sourceNamespace, other] = await Promise.all([
    readNamespace(cluster, source.namespace),
    isSame ? undefined : readNamespace(cluster, destination?.namespace),
  ]);
  return { sourceNamespace, targetNamespace: isSame ? sourceNamespace : other };
}

/** Reads the objects of a claim that is, or was, offered. */
export async function readOffered(cluster: Cluster, source: Claim, now: Date): Promise<TransferWorld> {
  const offered = offeredTo(source);
  const volume = await readVolume(cluster, source.spec.volumeName);
  const offer = offerOn(volume);
  // The record is for this claim, or for an earlier one that had the volume: then it comes first.
  if (volume && offer) return readOffer(cluster, volume, offer, now);
  const destination = offered && 'place' in offered ? offered.place : undefined;
  const isDeleting = source.metadata.deletionTimestamp !== undefined;
  const [target, settings, pods] = await Promise.all([
    readClaim(cluster, destination),
    readSettings(cluster),
    readPodsUsing(cluster, isDeleting ? placeOf(source) : undefined),
  ]);
  const namespaces = await readNamespaces(cluster, placeOf(source), destination);
  return { volume, source, target, destination, ...namespaces, settings, pods, readAt: now };
}

/** Reads the objects of a claim that was never offered, but accepts a volume. */
export async function readAccepting(cluster: Cluster, target: Claim, now: Date): Promise<TransferWorld> {
  const accepted = acceptedFrom(target);
  const place: Place | undefined = accepted && 'place' in accepted ? accepted.place : undefined;
  const volumeName = volumeFor(target);
  const [source, own, settings] = await Promise.all([
    readClaim(cluster, place),
    readVolume(cluster, volumeName),
    readSettings(cluster),
  ]);
  const offer = offerOn(own);
  if (own && offer && samePlace(offer.destination, placeOf(target))) return readOffer(cluster, own, offer, now);
  // Only if the source is offered to this very claim: anyone may write any name into an annotation.
  if (source && offers(source, placeOf(target))) return readOffered(cluster, source, now);
  return { target, settings, pods: [], readAt: now };
}

/**
 * True if a claim needs work as a source. A claim that waits for a volume has none to give yet; one that has lost its
 * volume never will, which is reported on it.
 */
export function isSource(claim: Claim): boolean {
  if (isOffered(claim)) return true;
  if (offeredTo(claim)) return !isAccepting(claim);
  return isPending(claim) && acceptedFrom(claim) === undefined;
}
