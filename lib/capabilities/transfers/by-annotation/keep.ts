import { isGone } from '../../../kubernetes/gone.ts';
import { destinationAnnotation, isConfirmedFor } from '../../../kubernetes/namespace-consent.ts';
import type { Claim, Pod, Volume } from '../../../kubernetes/objects.ts';
import { samePlace } from '../../../kubernetes/places.ts';
import { displayName } from '../../../kubernetes/resources.ts';
import { reject, waitFor } from '../../../reconcile/obstacle.ts';
import type { Decision } from '../../../reconcile/step.ts';
import { tooOld } from '../../../reconcile/trust.ts';
import { withMark } from '../kept-label.ts';
import { mountingPods } from '../read.ts';
import type { TransferObstacle } from '../reasons.ts';
import { changeInProgress, heldObstacle, isJustDeleted } from '../source-checks.ts';
import type { TransferWorld } from '../world.ts';
import { confirm, note, patch, warn } from '../writes.ts';
import { acceptanceObstacle, notOffered } from './acceptance-checks.ts';
import { awaitDeletion, stay } from './await-deletion.ts';
import { offeredTo, otherFinalizers, volumeFor } from './claim-marks.ts';
import { blocked, participants, setCondition } from './conditions.ts';
import { give } from './give.ts';
import { switchedOff } from './offer-checks.ts';
import { restoreTo } from './restore.ts';
import { markReleased, markStopped, mean, type Offer } from './volume-marks.ts';
import { isGoing, redirectTo, withdraw } from './withdraw.ts';

/** While the source still has its volume, which is safe: until its owner deletes the source, or withdraws the offer. */
export function keep(world: TransferWorld, offer: Offer, volume: Volume, now: Date): Decision<TransferWorld> {
  const source = remaining(world, offer);
  if (!source) return stop(world, offer, volume, now);
  const offered = offeredTo(source);
  const destination = offered && 'place' in offered ? offered.place : undefined;
  if (!destination) return withdraw(world, source, offer, volume, now);
  if (!samePlace(destination, offer.destination)) return redirectTo(world, destination, source, offer, volume, now);
  const meant = meanNamespace(world, offer, source, volume);
  if (meant) return meant;
  if (volume.metadata.deletionTimestamp) return blocked(world, going(volume, source), participants(world), now);
  return source.metadata.deletionTimestamp
    ? releaseSource(world, offer, source, volume, now)
    : awaitDeletion(world, offer, source, volume, now);
}

/** The owner's offer is for the namespace that exists while they make it. */
function meanNamespace(
  world: TransferWorld,
  offer: Offer,
  source: Claim,
  volume: Volume,
): Decision<TransferWorld> | undefined {
  const { targetNamespace } = world;
  const uid = targetNamespace?.metadata.uid;
  if (!targetNamespace || uid === offer.destinationNamespace) return undefined;
  const isOpen = offer.destinationNamespace === undefined || isConfirmedFor(source, uid, destinationAnnotation);
  return isOpen ? (confirm(world, 'source', source) ?? patch('volume', volume, mean(targetNamespace))) : undefined;
}

/** The source, as long as it exists. A later claim of its name is another one. */
export function remaining({ source }: TransferWorld, offer: Offer): Claim | undefined {
  if (source?.metadata.uid !== offer.source.uid) return undefined;
  return isGone(source) ? undefined : source;
}

/** Someone removed the fence by force: the owner's last decision was never seen. */
function stop(world: TransferWorld, offer: Offer, volume: Volume, now: Date): Decision<TransferWorld> {
  if (!offer.isStopped && offer.home && samePlace(offer.source, offer.destination)) {
    return restoreTo({ owner: offer.source, home: offer.home }, volume, now);
  }
  const message = `claim ${displayName(offer.source)} vanished before it was clear whether its owner still offered it. Volume ${volume.metadata.name} is kept until an administrator decides what to do with it (longshore explain SourceVanished says how)`;
  if (!offer.isStopped) {
    return patch('volume', volume, markStopped('SourceVanished'), {
      announce: [warn(volume, 'SourceVanished', message)],
    });
  }
  const { target } = world;
  const slots = participants(world);
  if (!target || volumeFor(target) === volume.metadata.name || !slots.includes('target')) {
    return blocked(world, reject('SourceVanished', message), slots, now);
  }
  // On a claim that does not know of the volume, this key reports the same as the claim's own key: the two must not
  // alternate.
  const reporting = setCondition(world, 'target', notOffered(target, offer.source), false, now);
  return reporting ?? blocked(world, reject('SourceVanished', message), [], now);
}

function going({ metadata }: Volume, source: Claim): TransferObstacle {
  // No pod can use a deleted claim: its owner can no longer save the data.
  const advice = source.metadata.deletionTimestamp
    ? `this claim is kept so that an administrator can save the data`
    : `copy the data from a pod that uses this claim, and keep the claim until then`;
  const message = `volume ${metadata.name} has been deleted by an administrator, and its data is lost when no claim has the volume any more: ${advice}`;
  return reject('VolumeDeleting', message);
}

/**
 * The owner deletes the source and still offers it: that is their final decision. The claim stays until another one has
 * its volume, so that a quota counts it meanwhile. Only a namespace that is being deleted does not wait for others:
 * then the decision is recorded before the claim is released.
 */
function releaseSource(
  world: TransferWorld,
  offer: Offer,
  source: Claim,
  volume: Volume,
  now: Date,
): Decision<TransferWorld> {
  const holders = holdersObstacle(world, offer, source, now);
  if (holders) return holders;
  // An owner can expand the volume after offering it, and delete the claim while the driver is still working on that.
  const change = changeInProgress(source, volume);
  if (change) return blocked(world, change, participants(world), now);
  const obstacle = switchedOff(world) ?? acceptanceObstacle(world, offer, volume);
  if (obstacle && !isGoing(world)) return stay(world, offer, source, volume, obstacle, now);
  const unsure = tooOld(world, now) ?? confirm(world, 'source', source);
  if (unsure) return unsure;
  if (!obstacle && world.target) return give(world, offer, volume, world.target, now);
  const place = displayName(offer.destination);
  const message = `is kept for claim ${place}, until its owner creates that claim with the annotation transferAccept: ${displayName(offer.source)}`;
  return patch('volume', volume, withMark('without-claim', markReleased(now)), {
    announce: [note(volume, 'AwaitingAcceptance', message)],
  });
}

export function inUse(offer: Offer, pods: Pod[]): TransferObstacle {
  const names = pods.map(({ metadata }) => metadata.name).join(', ');
  const message = `claim ${displayName(offer.source)} is used by pods: ${names}. The volume moves when they have been deleted. Scale down any workload that recreates them`;
  return waitFor('SourceInUse', message);
}

/** A deleted source that is still in use, or may be. */
export function holdersObstacle(
  world: TransferWorld,
  offer: Offer,
  source: Claim,
  now: Date,
): Decision<TransferWorld> | undefined {
  const holders = otherFinalizers(source);
  // The cluster's own protection may have been removed by force while pods still have the volume mounted.
  const mounting = mountingPods(world, offer.source.uid);
  if (holders.length === 0 && mounting.length === 0) return undefined;
  if (holders.length === 0) return blocked(world, inUse(offer, mounting), participants(world), now);
  const held = heldObstacle(source, holders, world.pods);
  return isJustDeleted(source, now) ? held : blocked(world, held, participants(world), now);
}
