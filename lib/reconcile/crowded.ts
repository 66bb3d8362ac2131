import type { Key } from '../kubernetes/resources.ts';
import { says } from './conditions.ts';
import { report } from './report.ts';
import type { Step, Subject, World, Write } from './step.ts';

const crowdedType = 'Crowded';
export const crowdedReason = 'TooManyWait';
const message =
  'too many objects wait for the same thing as this one, so this one is processed about a minute after that thing changes. To have it processed sooner, let fewer objects of its namespace wait at a time';

/** True if a condition is `Crowded`, for writers that do not know if it applies. */
export function isCrowdedType(type: string): boolean {
  return type === crowdedType;
}

/**
 * The write that adds or removes the condition `Crowded`; undefined if the object is up to date. A step cannot decide
 * it, because it sees only one object. The forwarder knows the waiting objects, and marks each message of the key.
 */
export function crowdedWrite(
  { step, key }: { step: Pick<Step<World>, 'resource' | 'subjects'>; key: Key },
  world: World,
  isCrowded: boolean,
  now: Date,
): Write | undefined {
  const object = step.subjects?.(world).find((each) => each && isNamed(each, key));
  // An object without a status gets it with a later message.
  if (!object?.status) return undefined;
  const isSaid = object.status.conditions?.some(({ type }) => isCrowdedType(type)) ?? false;
  if (isCrowded === isSaid) return undefined;
  // It changes nothing of what is ready.
  const readiness = 'none' as const;
  const part = { slot: 'subject', resource: step.resource, readiness, isOurs: isCrowdedType, hasGeneration: true };
  const said = isCrowded ? [says(crowdedType, 'True', crowdedReason, message)] : [];
  return report<string, Subject, string>(part, object, { said, event: 'Warning' }, now)?.write;
}

/** A step may also read other objects of the kind; those get no condition. */
function isNamed({ metadata }: Subject, { namespace, name }: Key): boolean {
  return metadata.name === name && metadata.namespace === namespace;
}
