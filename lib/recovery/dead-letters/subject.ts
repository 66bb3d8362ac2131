import { type BucketEvent, type Request, readEvent } from '../../capabilities/buckets/requests/event.ts';
import { Refusal } from '../../capabilities/buckets/requests/refusal.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { type Key, resources } from '../../kubernetes/resources.ts';
import { messageIn, readEnvelope, requireOwnGroup } from '../../queue/envelope.ts';
import { LaterMessage, MalformedMessage } from '../../queue/unusable-message.ts';
import { checkKind } from '../../reconcile/reconcile-message.ts';
import type { DeadLetter } from './dead-letter.ts';
import type { KnownFunctions } from './known-functions.ts';

/** The object or event that a dead letter is about. */
export type Subject =
  | { type: 'object'; cluster: string; resource: Resource; key: Key }
  | { type: 'request'; cluster: string; resource: Resource; key: Key; request: Request }
  /** An event that names no object: the deployment's configuration decides whether anything is created for it. */
  | { type: 'event'; about: string }
  | { type: 'unreadable'; as: 'malformed' | 'later' | 'unknown'; problem: string };

export function subjectOf({ function: name, body, groupId }: DeadLetter, functions: KnownFunctions): Subject {
  const known = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!known) {
    return { type: 'unreadable', as: 'unknown', problem: `this release of the command does not know ${name}` };
  }
  try {
    if ('stepFor' in known) return subjectOfEvent(readEvent(body).event);
    const message = messageIn(readEnvelope(body));
    requireOwnGroup(message, groupId);
    const step = 'step' in known ? known.step : known.deployedStep;
    checkKind(step, message);
    return { type: 'object', cluster: message.cluster, resource: step.resource, key: message.key };
  } catch (error) {
    if (error instanceof LaterMessage) return { type: 'unreadable', as: 'later', problem: error.message };
    if (error instanceof MalformedMessage || error instanceof Refusal) {
      return { type: 'unreadable', as: 'malformed', problem: error.message };
    }
    throw error;
  }
}

function subjectOfEvent(event: BucketEvent | Refusal): Subject {
  if (event instanceof Refusal) throw event;
  if (event.action === 'adopt') return { type: 'event', about: `bucket ${event.bucket} in S3` };
  if (event.action === 'none') return { type: 'event', about: event.reason };
  const { cluster, namespace, name } = event;
  return { type: 'request', cluster, resource: resources.bucket, key: { namespace, name }, request: event };
}
