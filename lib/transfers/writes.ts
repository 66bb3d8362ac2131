import type { Claim, Volume } from '../cluster/objects.ts';
import { nameOf, type ObjectName, resources } from '../cluster/resources.ts';
import { type Decision, preconditionsOf } from '../reconcile/step.ts';
import type { Place } from './marks.ts';
import { placeOf } from './world.ts';

/** A patch that is refused when the object has changed since it was read. */
export function patch(
  slot: 'source' | 'target' | 'volume' | 'confirmed',
  object: Claim | Volume,
  body: object,
): Decision {
  const resource = slot === 'volume' ? resources.volume : resources.claim;
  const name = nameOf(resource, object.metadata.namespace, object.metadata.name);
  return { do: 'write', write: { verb: 'patch', slot, object: name, body, preconditions: preconditionsOf(object) } };
}

/** A deletion that is refused when the object has changed since it was read. */
export function remove(slot: 'source' | 'target', claim: Claim): Decision {
  const object = claimName(placeOf(claim));
  return { do: 'write', write: { verb: 'delete', slot, object, preconditions: preconditionsOf(claim) } };
}

export function claimName(place: Place): ObjectName {
  return nameOf(resources.claim, place.namespace, place.name);
}
