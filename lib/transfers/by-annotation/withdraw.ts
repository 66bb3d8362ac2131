import type { Claim, Volume } from '../../cluster/objects.ts';
import { type Place, placeOf, samePlace } from '../../cluster/places.ts';
import { displayName } from '../../cluster/resources.ts';
import type { Decision } from '../../reconcile/step.ts';
import { volumeProblem } from '../source-checks.ts';
import { note, patch, warn } from '../writes.ts';
import { type Offer, redirect, withdrawLate, withdrawOffer } from './volume-marks.ts';

/** The owner has named another destination. */
export function redirectTo(destination: Place, source: Claim, offer: Offer, volume: Volume): Decision {
  const isRefused = volumeProblem(source, volume, destination.namespace)?.verdict === 'reject';
  const isItself = samePlace(destination, offer.source);
  return isRefused || isItself ? withdraw(source, offer, volume) : patch('volume', volume, redirect(destination));
}

/** The owner does not offer the claim any more. */
export function withdraw(source: Claim, offer: Offer, volume: Volume): Decision {
  if (!source.metadata.deletionTimestamp) {
    const message = `is no longer offered to claim ${displayName(offer.destination)}`;
    return patch('volume', volume, withdrawOffer(offer), { announce: [note(volume, 'TransferWithdrawn', message)] });
  }
  // Whoever takes an offer back after deleting the claim may well want the data: with its own policy it would be gone.
  const message = `claim ${displayName(placeOf(source))} was deleted and then no longer offered: volume ${volume.metadata.name} is kept (its policy was ${offer.originalPolicy}), and an administrator decides about it`;
  const announce = [volume, source].map((regarding) => warn(regarding, 'TransferWithdrawn', message));
  return patch('volume', volume, withdrawLate(source, volume, offer), { announce });
}
