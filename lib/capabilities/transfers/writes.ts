import type { Claim } from '../../kubernetes/objects.ts';
import type { Place } from '../../kubernetes/places.ts';
import { nameOf, type ObjectName, resources } from '../../kubernetes/resources.ts';
import type { WriteDecision } from '../../reconcile/writes.ts';
import * as writes from '../../reconcile/writes.ts';
import type { TransferReason } from './reasons.ts';
import type { Slot, TransferWorld } from './world.ts';

export { note, warn } from '../../reconcile/writes.ts';

/** The objects that a transfer writes, by their role. */
export type Written = { [S in Exclude<Slot, 'trial'>]: NonNullable<TransferWorld[S]> };

const parts: { readonly [S in keyof Written]: writes.Part<S, Written[S]> } = {
  request: { slot: 'request', resource: resources.transferRequest },
  approval: { slot: 'approval', resource: resources.transferApproval },
  source: { slot: 'source', resource: resources.claim },
  target: { slot: 'target', resource: resources.claim },
  volume: { slot: 'volume', resource: resources.volume },
};

/** A patch that is refused if the object has changed since it was read. */
export function patch<S extends keyof Written>(
  slot: S,
  object: Written[S],
  body: object,
  effects: writes.WriteEffects<TransferReason> = {},
): WriteDecision<S, Written[S], TransferReason> {
  return writes.patch(parts[slot], object, body, effects);
}

/**
 * Makes the API server confirm that an object was read in its present state: an empty patch, which is refused if the
 * object has changed. Returns undefined if the server has confirmed it in this run already.
 */
export function confirm<S extends keyof Written>({ answered = [] }: TransferWorld, slot: S, object: Written[S]) {
  return answered.includes(slot) ? undefined : patch(slot, object, {});
}

/** A deletion that is refused if the object has changed since it was read. */
export function remove<S extends keyof Written>(slot: S, object: Written[S]): WriteDecision<S, Written[S]> {
  return writes.remove(parts[slot], object);
}

/**
 * True if a part cannot be written in this run, because the write is refused or others keep changing the object: then
 * the writes of the other side come first.
 */
export function isHeldUp({ refused, contended = [] }: TransferWorld, slot: Slot): boolean {
  return refused?.slot === slot || contended.includes(slot);
}

/** It was tried again after everything else was done. */
export function isGivenUp({ refused, contended = [] }: TransferWorld, slot: Slot): boolean {
  return refused?.slot === slot || contended.filter((each) => each === slot).length > 2;
}

/** Parts that are held up come last. */
export function freeOnesFirst<S extends Slot>(world: TransferWorld, slots: readonly S[]): S[] {
  return [...slots.filter((slot) => !isHeldUp(world, slot)), ...slots.filter((slot) => isHeldUp(world, slot))];
}

export function claimName(place: Place): ObjectName<Claim> {
  return nameOf(resources.claim, place.namespace, place.name);
}
