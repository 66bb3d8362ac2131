import type { OutgoingMessage } from '../../queue/message-parts.ts';

/** Messages a second, at the most that can be asked for: more than queues take is no rate. */
export const maxRate = 100_000;

/** What the functions keep up with, and live changes are not held up by for long, unless another rate is asked for. */
export const defaultRate = 100;

/** Which of the archived messages are meant; those that are not named by anything here are meant as well. */
export interface Filter {
  function?: string;
  kind?: string;
  namespace?: string;
  name?: string;
}

/** What is to be replayed. It stays the same for as long as a run lasts, however often that is interrupted. */
export interface Wish {
  /** The first moment. */
  from: Date;
  /** The moment after the last one. */
  to: Date;
  /** In this order. */
  clusters: string[];
  filter: Filter;
  /** Whether of several messages of one key the first one is enough. */
  oncePerKey: boolean;
}

/** What a message says it is about. Whatever is in an archive is read, also what a later release wrote, or nobody of ours. */
export interface Subject {
  cluster: string | undefined;
  kind: string | undefined;
  namespace: string | undefined;
  name: string | undefined;
}

const nothing: Subject = { cluster: undefined, kind: undefined, namespace: undefined, name: undefined };

export function subjectOf(body: string): Subject {
  try {
    const event = JSON.parse(body) as Record<string, unknown> | null;
    if (typeof event !== 'object' || event === null) return nothing;
    const { source, kind, namespace, name } = event;
    return { cluster: text(source), kind: text(kind), namespace: text(namespace), name: text(name) };
  } catch {
    return nothing;
  }
}

/** What queues take as ids. Nothing that was ever on one has others; and what waits to be sent must not be full of them. */
const queueableId = /^[\x21-\x7e]{1,128}$/;

/**
 * Why no queue ever takes this, in the words of SQS; undefined where it may. Half a character cannot even be told to a queue:
 * the call fails as a whole, with all that is sent beside it, again and again. Other odd ones it refuses by themselves.
 */
export function refusalOf({ groupId, deduplicationId, body }: OutgoingMessage): string | undefined {
  if (![groupId, deduplicationId].every((id) => queueableId.test(id))) return 'InvalidParameterValue';
  return body.isWellFormed() ? undefined : 'InvalidMessageContents';
}

export function isMeant(filter: Filter, message: Pick<OutgoingMessage, 'function'>, subject: Subject): boolean {
  return (
    isOne(filter.function, message.function) &&
    isOne(filter.kind, subject.kind) &&
    isOne(filter.namespace, subject.namespace) &&
    isOne(filter.name, subject.name)
  );
}

/**
 * Each cluster has an archive of its own, and nobody of ours puts into it what is about another one: whoever replays one
 * cluster must not be made to send what is about others. What does not say is no message, and is refused where it arrives.
 */
export function isOfCluster(cluster: string, subject: Subject): boolean {
  return subject.cluster === undefined || subject.cluster === cluster;
}

function isOne(wanted: string | undefined, found: string | undefined): boolean {
  return wanted === undefined || wanted === found;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
