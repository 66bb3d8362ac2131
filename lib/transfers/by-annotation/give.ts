import type { Claim, Volume } from '../../cluster/objects.ts';
import { displayName } from '../../cluster/resources.ts';
import type { Decision } from '../../reconcile/step.ts';
import { pointsTo, pointTo } from '../claim-ref.ts';
import { durationSince, measured } from '../measurements.ts';
import { waitFor } from '../source-checks.ts';
import { longestTrustMs, type TransferWorld } from '../world.ts';
import { confirm, note, patch } from '../writes.ts';
import { acceptanceProblem, accepts } from './acceptance.ts';
import { blockedByHolders } from './keep.ts';
import {
  clearClaim,
  hasReceived,
  isComplete,
  isOffered,
  markComplete,
  markReleased,
  markTransferred,
  type Offer,
  otherFinalizers,
  receive,
} from './marks.ts';
import { switchedOff } from './offer-checks.ts';
import { blocked, contradict } from './tell.ts';

/** When the source's owner has had their last word: the volume goes to whoever accepts it, once nobody can use it any more. */
export function handOver(world: TransferWorld, offer: Offer, volume: Volume, now: Date): Decision {
  const { target } = world;
  const source = remaining(world, offer);
  if (target && volume.spec.claimRef?.uid === target.metadata.uid) return arrive(offer, source, target, volume, now);
  if (source) {
    const holders = otherFinalizers(source);
    if (holders.length > 0) return blockedByHolders(world, source, holders, now);
    return patch('source', source, clearClaim(source));
  }
  const problem = switchedOff(world) ?? acceptanceProblem(target, offer.source, offer.destination, volume);
  if (!problem && target) return give(world, offer, volume, target, now);
  const message = `no claim accepts volume ${volume.metadata.name}`;
  const told = accepts(target, offer.source) ? (['target'] as const) : [];
  return blocked(world, problem ?? waitFor('AwaitingAcceptance', message), [...told], now);
}

/** The source, as long as it is there. A claim that is made under its name later is another one. */
function remaining({ source }: TransferWorld, offer: Offer): Claim | undefined {
  if (source?.metadata.uid !== offer.source.uid) return undefined;
  const isGone = source.metadata.deletionTimestamp && (source.metadata.finalizers ?? []).length === 0;
  return isGone ? undefined : source;
}

/** Moves the volume, if it is still where we left it and nobody uses it there. */
export function give(world: TransferWorld, offer: Offer, volume: Volume, target: Claim, now: Date): Decision {
  const { claimRef } = volume.spec;
  const isOfSource = claimRef?.uid === offer.source.uid;
  const isOfDestination = pointsTo(volume, offer.destination);
  if (!isOfSource && !isOfDestination) {
    const message = `volume ${volume.metadata.name} has been bound to ${claimRef?.namespace}/${claimRef?.name} by someone else: it is left as it is`;
    return blocked(world, { verdict: 'reject', reason: 'VolumeTaken', message }, ['target'], now);
  }
  // The cluster's own protection may have been taken off by force while pods still have the volume mounted.
  const mounting = isOfSource ? world.pods.filter(({ spec }) => spec?.nodeName !== undefined) : [];
  if (mounting.length > 0) {
    const names = mounting.map(({ metadata }) => metadata.name).join(', ');
    const message = `claim ${displayName(offer.source)} is used by pods: ${names}; the volume moves when they have been deleted`;
    return blocked(world, waitFor('SourceInUse', message), ['target'], now);
  }
  if (now.getTime() - world.readAt.getTime() > longestTrustMs) return { do: 'reread', reason: 'ConsentTooOld' };
  // An old answer may tell of an acceptance that has been taken back, or of a claim that is gone.
  const unconfirmed = confirm(world, 'target', target);
  return unconfirmed ?? patch('volume', volume, moveTo(target, offer, now));
}

function moveTo(target: Claim, { releasedAt }: Offer, now: Date): object {
  const move = pointTo(target);
  const annotations = { ...move.metadata.annotations, ...markReleased(releasedAt ?? now).metadata.annotations };
  return { ...move, metadata: { annotations } };
}

/** The volume is the target's: what is left is to bind the two, and to tidy up. */
function arrive(offer: Offer, source: Claim | undefined, target: Claim, volume: Volume, now: Date): Decision {
  if (source && isOffered(source)) return patch('source', source, clearClaim(source));
  if (target.spec.volumeName && target.spec.volumeName !== volume.metadata.name) return strayed(target, volume);
  if (!hasReceived(target, volume, offer.source)) return patch('target', target, receive(volume, offer.source));
  if (target.status?.phase !== 'Bound' || volume.status?.phase !== 'Bound') {
    return { do: 'wait', reason: 'TargetNotBound', message: 'the volume controller binds the target claim' };
  }
  const name = displayName(offer.source);
  const message = `has volume ${volume.metadata.name} of claim ${name}`;
  if (!isComplete(target))
    return patch('target', target, markComplete, { announce: [note(target, 'TransferComplete', message)] });
  const told = contradict(target, 'Complete', message, now);
  return told ?? finish(offer, target, volume, now);
}

function finish(offer: Offer, target: Claim, volume: Volume, now: Date): Decision {
  const message = `has been transferred from claim ${displayName(offer.source)} to ${displayName(offer.destination)}`;
  return patch('volume', volume, markTransferred(offer), {
    announce: [note(volume, 'TransferComplete', message)],
    measure: [
      measured('TransfersCompleted', 'ByAnnotation'),
      durationSince(now, 'ByAnnotation', [offer.releasedAt, target]),
    ],
  });
}

/** In the moment of the move the target got another volume: both stay as they are until its owner deletes the target. */
function strayed(target: Claim, volume: Volume): Decision {
  const message = `claim ${displayName(target.metadata)} got volume ${target.spec.volumeName} when volume ${volume.metadata.name} came: delete it, and create it again with the admission policies of manifests/admission in place`;
  return { do: 'reject', reason: 'TargetBound', message };
}
