import type { Condition } from '../kubernetes/objects.ts';
import { type Key, nameOf } from '../kubernetes/resources.ts';
import { stamp } from './conditions.ts';
import { preconditionsOf, type Step, type Subject, type World, type Write } from './step.ts';
import { warn } from './writes.ts';

export const crowdedType = 'Crowded';
const reason = 'TooManyWait';
const message =
  'too many objects wait for the same thing as this one, so this one is processed about a minute after that thing changes. To have it processed sooner, let fewer objects of its namespace wait at a time';

/** What is said of an object by whoever does not know whether it is crowded. */
export function withoutCrowded(conditions: readonly Condition[] = []): Condition[] {
  return conditions.filter(({ type }) => type !== crowdedType);
}

export function crowdedOf(conditions: readonly Condition[] = []): Condition[] {
  return conditions.filter(({ type }) => type === crowdedType);
}

/**
 * The write that makes an object say that it is told later than others, or not any more; undefined when it says so already. No
 * step can know, as it sees one object: the forwarder, which knows who waits, says it with each message of the key.
 */
export function tellCrowded(
  { step, key }: { step: Pick<Step<World>, 'resource' | 'subjects'>; key: Key },
  world: World,
  isCrowded: boolean,
  now: Date,
): Write | undefined {
  const object = step.subjects?.(world).find((each) => each && isNamed(each, key));
  // What has no status yet is told with a later message.
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

/** A step may look at another object of the kind as well, and that is not told. */
function isNamed({ metadata }: Subject, { namespace, name }: Key): boolean {
  return metadata.name === name && metadata.namespace === namespace;
}
