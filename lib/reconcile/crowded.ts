import type { Condition } from '../kubernetes/objects.ts';
import { type Key, nameOf } from '../kubernetes/resources.ts';
import { stamp } from './conditions.ts';
import { preconditionsOf, type Step, type Subject, type World, type Write } from './step.ts';
import { warn } from './writes.ts';

export const crowdedType = 'Crowded';
const reason = 'TooManyWait';
const message =
  'too many objects wait for the same thing as this one, so this one is processed about a minute after that thing changes. To have it processed sooner, let fewer objects of its namespace wait at a time';

/** The conditions without `Crowded`, for writers that do not know whether it applies. */
export function withoutCrowded(conditions: readonly Condition[] = []): Condition[] {
  return conditions.filter(({ type }) => type !== crowdedType);
}

export function crowdedOf(conditions: readonly Condition[] = []): Condition[] {
  return conditions.filter(({ type }) => type === crowdedType);
}

/**
 * The write that adds or removes the condition `Crowded`; undefined if the object is up to date. A step cannot know, because
 * it sees one object only. The forwarder knows what waits, and says it in each message of the key.
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
  const { conditions: before = [] } = object.status;
  if (isCrowded === crowdedOf(before).length > 0) return undefined;
  const { namespace, name, generation } = object.metadata;
  const said = { type: crowdedType, status: 'True', reason, message } as const;
  const own = isCrowded ? [stamp(said, before, generation, now)] : [];
  return {
    verb: 'patch',
    slot: 'subject',
    object: nameOf(step.resource, namespace, name),
    body: { status: { conditions: [...withoutCrowded(before), ...own] } },
    subresource: 'status',
    preconditions: preconditionsOf(object),
    announce: isCrowded ? [warn(object, reason, message)] : [],
  };
}

/** A step may also read other objects of the kind; those get no condition. */
function isNamed({ metadata }: Subject, { namespace, name }: Key): boolean {
  return metadata.name === name && metadata.namespace === namespace;
}
