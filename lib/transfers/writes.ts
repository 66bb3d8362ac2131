import type { Claim, ClusterObject, Volume } from '../cluster/objects.ts';
import { nameOf, type ObjectName, resources } from '../cluster/resources.ts';
import { type Announcement, type Decision, preconditionsOf, type Write } from '../reconcile/step.ts';
import { type Place, placeOf } from './places.ts';
import type { TransferWorld } from './world.ts';

type Telling = Pick<Write, 'announce' | 'measure'>;

/** A patch that is refused when the object has changed since it was read. */
export function patch(
  slot: 'source' | 'target' | 'volume',
  object: Claim | Volume,
  body: object,
  telling: Telling = {},
): Decision {
  const resource = slot === 'volume' ? resources.volume : resources.claim;
  const name = nameOf(resource, object.metadata.namespace, object.metadata.name);
  const preconditions = preconditionsOf(object);
  return { do: 'write', write: { verb: 'patch', slot, object: name, body, preconditions, ...telling } };
}

/** An Event of the ordinary course of things. */
export function note(regarding: ClusterObject, reason: string, message: string): Announcement {
  return { regarding, type: 'Normal', reason, message };
}

/** An Event about what somebody has to look at. */
export function warn(regarding: ClusterObject, reason: string, message: string): Announcement {
  return { regarding, type: 'Warning', reason, message };
}

/**
 * Lets the server confirm that what was read of an object is its present state: a patch that changes nothing, which it
 * refuses when the object has changed. Answers undefined when the server has answered in this run already.
 */
export function confirm(
  { answered = [] }: TransferWorld,
  slot: 'source' | 'target' | 'volume',
  object: Claim | Volume,
): Decision | undefined {
  return answered.includes(slot) ? undefined : patch(slot, object, {});
}

/** A deletion that is refused when the object has changed since it was read. */
export function remove(slot: 'source' | 'target', claim: Claim): Decision {
  const object = claimName(placeOf(claim));
  return { do: 'write', write: { verb: 'delete', slot, object, preconditions: preconditionsOf(claim) } };
}

export function claimName(place: Place): ObjectName {
  return nameOf(resources.claim, place.namespace, place.name);
}
