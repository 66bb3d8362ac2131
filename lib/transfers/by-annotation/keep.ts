import type { Claim, Volume } from '../../cluster/objects.ts';
import { displayName } from '../../cluster/resources.ts';
import type { Decision } from '../../reconcile/step.ts';
import { type Place, placeOf, samePlace } from '../places.ts';
import { heldMessage, volumeProblem, waitFor } from '../source-checks.ts';
import type { TransferWorld } from '../world.ts';
import { confirm, note, patch } from '../writes.ts';
import { acceptanceProblem, accepts } from './acceptance.ts';
import { give } from './give.ts';
import {
  isOffered,
  isPending,
  markPending,
  markPendingFor,
  markReleased,
  markStopped,
  type Offer,
  offeredTo,
  otherFinalizers,
  raiseFence,
  redirect,
  withdrawLate,
  withdrawOffer,
} from './marks.ts';
import { switchedOff } from './offer-checks.ts';
import { blocked } from './tell.ts';

/** The cluster releases an unused claim within moments; only a longer wait is worth telling the user. */
const quickReleaseMs = 5_000;

/** While the source still has its volume, which is safe: until its owner deletes it, or wants it back. */
export function keep(world: TransferWorld, offer: Offer, volume: Volume, now: Date): Decision {
  const source = world.source?.metadata.uid === offer.source.uid ? world.source : undefined;
  if (!source) return stop(world, offer, volume, now);
  const wish = offeredTo(source);
  const destination = wish && 'place' in wish ? wish.place : undefined;
  if (!destination) return withdraw(source, offer, volume);
  if (!samePlace(destination, offer.destination)) return turn(source, offer, destination, volume);
  return source.metadata.deletionTimestamp
    ? letGo(world, offer, source, volume, now)
    : awaitDeletion(world, offer, source, volume, now);
}

/** Somebody took the fence off by force: what the owner wanted at the end was never seen. */
function stop(world: TransferWorld, offer: Offer, volume: Volume, now: Date): Decision {
  const message = `claim ${displayName(offer.source)} vanished before its owner's last word was seen: volume ${volume.metadata.name} is kept, and an administrator decides (see docs/transfers.md)`;
  if (!offer.isStopped) {
    const announce = [{ regarding: volume, type: 'Warning', reason: 'SourceVanished', message } as const];
    return patch('volume', volume, markStopped('SourceVanished'), { announce });
  }
  const told = accepts(world.target, offer.source) ? (['target'] as const) : [];
  return blocked(world, { verdict: 'reject', reason: 'SourceVanished', message }, [...told], now);
}

/** The owner has named another destination. */
function turn(source: Claim, offer: Offer, destination: Place, volume: Volume): Decision {
  const isRefused = volumeProblem(source, volume, destination.namespace)?.verdict === 'reject';
  const isItself = samePlace(destination, offer.source);
  return isRefused || isItself ? withdraw(source, offer, volume) : patch('volume', volume, redirect(destination));
}

function withdraw(source: Claim, offer: Offer, volume: Volume): Decision {
  const { name } = volume.metadata;
  if (!source.metadata.deletionTimestamp) {
    const announce = [
      note(volume, 'TransferWithdrawn', `is no longer offered to claim ${displayName(offer.destination)}`),
    ];
    return patch('volume', volume, withdrawOffer(offer), { announce });
  }
  // Whoever takes an offer back after deleting the claim may well want the data: with its own policy it would be gone.
  const message = `claim ${displayName(placeOf(source))} was deleted and then no longer offered: volume ${name} is kept (its policy was ${offer.originalPolicy}), and an administrator decides about it`;
  const announce = [
    { regarding: volume, type: 'Warning', reason: 'TransferWithdrawn', message } as const,
    { regarding: source, type: 'Warning', reason: 'TransferWithdrawn', message } as const,
  ];
  return patch('volume', volume, withdrawLate, { announce });
}

/** Both sides see that the volume is safe; the rest is up to the owner of the source. */
function awaitDeletion(world: TransferWorld, offer: Offer, source: Claim, volume: Volume, now: Date): Decision {
  const { target } = world;
  if (!isOffered(source)) return patch('source', source, raiseFence(source));
  const name = displayName(offer.destination);
  if (!isPending(source)) {
    const message = `volume ${volume.metadata.name} is safe: delete this claim to give it to claim ${name}, or take the annotation transferRequest off to keep it`;
    return patch('source', source, markPending, { announce: [note(source, 'TransferPending', message)] });
  }
  const message = `volume ${volume.metadata.name} goes to claim ${name} when claim ${displayName(offer.source)} has been deleted by its owner`;
  const waiting = { do: 'wait', reason: 'AwaitingDeletion', message } as const;
  if (!accepts(target, offer.source)) return waiting;
  const problem = acceptanceProblem(target, offer.source, offer.destination, volume);
  if (problem) return blocked(world, problem, ['target'], now);
  if (!isPending(target))
    return patch('target', target, markPendingFor(volume), { announce: [note(target, 'TransferPending', message)] });
  return waiting;
}

/** The owner deletes the source and offers it still: that is their last word, and it is written down before the claim goes. */
function letGo(world: TransferWorld, offer: Offer, source: Claim, volume: Volume, now: Date): Decision {
  const holders = otherFinalizers(source);
  if (holders.length > 0) return blockedByHolders(world, source, holders, now);
  const unconfirmed = confirm(world, 'source', source);
  if (unconfirmed) return unconfirmed;
  const problem = switchedOff(world) ?? acceptanceProblem(world.target, offer.source, offer.destination, volume);
  if (!problem && world.target) return give(world, offer, volume, world.target, now);
  return patch('volume', volume, markReleased(now));
}

export function blockedByHolders(world: TransferWorld, source: Claim, holders: string[], now: Date): Decision {
  const message = heldMessage(source, holders, world.pods);
  const deletedAt = Date.parse(source.metadata.deletionTimestamp ?? '');
  if (now.getTime() - deletedAt < quickReleaseMs) return { do: 'wait', reason: 'SourceHeld', message };
  const told = accepts(world.target, placeOf(source)) ? (['source', 'target'] as const) : (['source'] as const);
  return blocked(world, waitFor('SourceHeld', message), [...told], now);
}
