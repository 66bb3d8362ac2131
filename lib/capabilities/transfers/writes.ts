import type { Claim, Volume } from '../../kubernetes/objects.ts';
import type { Place } from '../../kubernetes/places.ts';
import { nameOf, type ObjectName, resources } from '../../kubernetes/resources.ts';
import type { Decision } from '../../reconcile/step.ts';
import * as writes from '../../reconcile/writes.ts';
import type { TransferWorld } from './world.ts';

export { note, warn } from '../../reconcile/writes.ts';

type Slot = 'source' | 'target' | 'volume';

/** A patch that is refused when the object has changed since it was read. */
export function patch(slot: Slot, object: Claim | Volume, body: object, telling: writes.Telling = {}): Decision {
  return writes.patch(partOf(slot), object, body, telling);
}

/**
 * Lets the server confirm that what was read of an object is its present state: a patch that changes nothing, which it
 * refuses when the object has changed. Answers undefined when the server has answered in this run already.
 */
export function confirm({ answered = [] }: TransferWorld, slot: Slot, object: Claim | Volume): Decision | undefined {
  return answered.includes(slot) ? undefined : patch(slot, object, {});
}

/** A deletion that is refused when the object has changed since it was read. */
export function remove(slot: 'source' | 'target', claim: Claim): Decision {
  return writes.remove(partOf(slot), claim);
}

/**
 * Whether a part cannot be written in this run, as it is refused or changed by somebody else all the time: then whatever is
 * due on the other side comes first.
 */
export function isHeldUp({ refused, contended = [] }: TransferWorld, slot: string): boolean {
  return refused?.slot === slot || contended.includes(slot);
}

/** It was tried again when everything else was done. */
export function isGivenUp({ refused, contended = [] }: TransferWorld, slot: string): boolean {
  return refused?.slot === slot || contended.filter((each) => each === slot).length > 2;
}

/** Those that are held up come last. */
export function freeOnesFirst<S extends string>(world: TransferWorld, slots: readonly S[]): S[] {
  return [...slots.filter((slot) => !isHeldUp(world, slot)), ...slots.filter((slot) => isHeldUp(world, slot))];
}

export function claimName(place: Place): ObjectName {
  return nameOf(resources.claim, place.namespace, place.name);
}

function partOf(slot: Slot): writes.Part {
  return { slot, resource: slot === 'volume' ? resources.volume : resources.claim };
}
