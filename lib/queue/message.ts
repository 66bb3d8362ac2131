import { isLegalName, type Key } from '../kubernetes/resources.ts';
import { quoted } from '../runtime/quoted.ts';
import { deduplicationIdAgain, groupIdOf, identifiersOf, isGroupOfAKey } from './identifiers.ts';
import type { MessageParts, OutgoingMessage } from './message-parts.ts';
import { bodyOf, messageVersion, plainBodyOf } from './message-text.ts';

/**
 * The message: a CloudEvent 1.0 in the vocabulary of Knative's ApiServerSource in ref mode. It says which object is to be
 * reconciled, and never what that object contains: the step reads that itself, when it runs.
 */
export interface Message {
  cluster: string;
  resource: { apiVersion: string; kind: string };
  key: Key;
  /** Too many objects wait for the same change as this one, so its message is delayed. */
  isCrowded?: true;
  /** The trace that the change began, as W3C Trace Context has it; messages by hand may have none. */
  traceparent?: string;
}

/** A message of a later release. It is not malformed: the release that wrote it, deployed again, can work on it. */
export class LaterMessage extends Error {
  override name = 'LaterMessage';

  constructor(version: number) {
    super(
      `the message has version ${version}, but this release knows ${messageVersion}: deploy the later release again`,
    );
  }
}

export class MalformedMessage extends Error {
  constructor(reason: string) {
    super(`malformed message: ${reason}`);
    this.name = 'MalformedMessage';
  }
}

/** What a message is about is told in each line of the log, and nothing of it has so long a name. */
const maxTextLength = 1_000;

export function buildMessage(parts: MessageParts): OutgoingMessage {
  const identifiers = identifiersOf(parts);
  const { groupId, deduplicationId, arePlain } = identifiers;
  const body = arePlain ? plainBodyOf(parts, identifiers) : bodyOf(parts, identifiers);
  return { function: parts.function, body, groupId, deduplicationId };
}

/**
 * A message that was sent before, as another one: a queue would take it for a duplicate otherwise, and whoever reads it sees
 * by which run it came; whether too many wait may have changed since. What is no message stays byte for byte as it is, for whoever is to find out what it was.
 */
export function sentAgain(message: OutgoingMessage, runId: string): OutgoingMessage {
  const deduplicationId = deduplicationIdAgain(message, runId);
  try {
    return {
      ...message,
      body: JSON.stringify({ ...parseJson(message.body), runid: runId, crowded: undefined }),
      deduplicationId,
    };
  } catch {
    return { ...message, deduplicationId };
  }
}

export function parseMessage(body: string): Message {
  const event = parseJson(body);
  if (event.specversion !== '1.0') throw new MalformedMessage('it is not a CloudEvent: specversion is not "1.0"');
  const text = (field: string): string => {
    const value = event[field];
    if (typeof value !== 'string' || value === '') throw new MalformedMessage(`${field} is missing or not a string`);
    if (value.length > maxTextLength) throw new MalformedMessage(`${field} has more than ${maxTextLength} characters`);
    return value;
  };
  if (!/^dev\.knative\.apiserver\.ref\.(add|update|delete)$/.test(text('type'))) {
    throw new MalformedMessage(`type ${quoted(event.type)} is not dev.knative.apiserver.ref.(add|update|delete)`);
  }
  const { messageversion: version = 1 } = event;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    throw new MalformedMessage('messageversion is not a whole number');
  }
  if (version > messageVersion) throw new LaterMessage(version);
  const key: Key = { name: objectName(text('name')) };
  if (event.namespace !== undefined) key.namespace = objectName(text('namespace'));
  const resource = { apiVersion: text('apiversion'), kind: text('kind') };
  const crowded = event.crowded === true ? { isCrowded: true as const } : {};
  return { cluster: text('source'), resource, key, ...crowded, ...traceOf(event.traceparent) };
}

/**
 * A message in the group of a key that it is not about would hold up that key by whatever it is about itself. Groups that
 * are of no key are anybody's.
 */
export function requireOwnGroup({ cluster, key }: Pick<Message, 'cluster' | 'key'>, groupId: string | undefined): void {
  if (groupId === undefined || !isGroupOfAKey(groupId)) return;
  const own = groupIdOf(cluster, key);
  if (groupId !== own)
    throw new MalformedMessage(`it is in the group ${quoted(groupId)}, but belongs in ${quoted(own)}`);
}

/** An invalid trace is dropped: traces are for observers, and must not stop the work. */
function traceOf(traceparent: unknown): Pick<Message, 'traceparent'> {
  const isOne =
    typeof traceparent === 'string' && /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(traceparent);
  return isOne ? { traceparent } : {};
}

function parseJson(body: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw new MalformedMessage('it is not JSON');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new MalformedMessage('it is not a JSON object');
  }
  return parsed as Record<string, unknown>;
}

/** Names go into request paths, so nothing but a legal object name passes. */
function objectName(name: string): string {
  if (!isLegalName(name)) {
    throw new MalformedMessage(`${quoted(name)} is not a valid object name`);
  }
  return name;
}
