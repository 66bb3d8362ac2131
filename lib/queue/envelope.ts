import { isLegalName, type Key } from '../kubernetes/resources.ts';
import { quoted } from '../runtime/quoted.ts';
import { groupIdOf, isGroupOfAKey } from './identifiers.ts';
import { LaterMessage, MalformedMessage, messageVersion } from './unusable-message.ts';

export const typePrefix = 'dev.knative.apiserver.ref.';

/** A request to reconcile one object: the name of the object, and nothing of its contents. */
export interface Message {
  cluster: string;
  resource: { apiVersion: string; kind: string };
  key: Key;
  /** Too many objects wait for the same change as this one, so its message is delayed. */
  isCrowded?: true;
}

/** The origin of a message, according to its body: for logs only, never needed for the work itself. */
export interface Origin {
  /** The id of the CloudEvent, or of the EventBridge event: of the change. */
  correlation?: string;
  /** The time of the change. */
  time?: Date;
  /** The run that sent it again. */
  runId?: string;
  /** The trace that the change began, as in W3C Trace Context; hand-made messages may have none. */
  traceparent?: string;
}

/** The object that a body names, unchecked: it may come from a later release, or from elsewhere. */
export interface NamedObject {
  cluster: string | undefined;
  kind: string | undefined;
  namespace: string | undefined;
  name: string | undefined;
}

/** The body of a message, parsed once. Anyone may have written it, so each reader takes only the part that it needs. */
export interface Envelope {
  origin: Origin;
  object: NamedObject;
  /** The type of the CloudEvent. */
  type: string | undefined;
  /** The message, or why this release cannot process it: normally that it is malformed, or of a later release. */
  content: Message | Error;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The object of a message is part of each log line, and none has a name this long. */
const maxTextLength = 1_000;
/** Origins go into logs and headers: so only plain characters are accepted. */
const plain = /^[\w.:/=+-]{1,128}$/;
const validTraceparent = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Reads any body: its errors are part of the result. */
export function readEnvelope(body: string): Envelope {
  const { fields, flaw } = readObject(body);
  return {
    origin: originIn(fields),
    object: {
      cluster: string(fields.source),
      kind: string(fields.kind),
      namespace: string(fields.namespace),
      name: string(fields.name),
    },
    type: string(fields.type),
    content: flaw === undefined ? contentIn(fields) : new MalformedMessage(flaw),
  };
}

/** Throws the reason why this release cannot process it. */
export function messageIn({ content }: Pick<Envelope, 'content'>): Message {
  if (content instanceof Error) throw content;
  return content;
}

/** The fields of a JSON object; for anything else none, and the reason. */
export function readObject(body: string): { fields: Fields; flaw?: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return { fields: {}, flaw: 'it is not JSON' };
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return { fields: {}, flaw: 'it is not a JSON object' };
  }
  return { fields: parsed as Fields };
}

/** The origin of a message, or of an EventBridge event. An invalid trace is dropped: traces must not stop the work. */
export function originIn(fields: Fields): Origin {
  const time = typeof fields.time === 'string' ? new Date(fields.time) : undefined;
  return {
    ...(isLike(plain, fields.id) ? { correlation: fields.id } : {}),
    ...(time && !Number.isNaN(time.getTime()) ? { time } : {}),
    ...(isLike(plain, fields.runid) ? { runId: fields.runid } : {}),
    ...(isLike(validTraceparent, fields.traceparent) ? { traceparent: fields.traceparent } : {}),
  };
}

/**
 * A message in the group of a key that it does not name would delay that key by its own failures. Groups that belong to
 * no key are free for all.
 */
export function requireOwnGroup({ cluster, key }: Pick<Message, 'cluster' | 'key'>, groupId: string | undefined): void {
  if (groupId === undefined || !isGroupOfAKey(groupId)) return;
  const own = groupIdOf(cluster, key);
  if (groupId !== own)
    throw new MalformedMessage(`it is in the group ${quoted(groupId)}, but belongs in ${quoted(own)}`);
}

/** Bodies are read before their batch is split, so no error may affect more than its own message. */
function contentIn(fields: Fields): Message | Error {
  try {
    return checkedMessage(fields);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function checkedMessage(fields: Fields): Message {
  if (fields.specversion !== '1.0') throw new MalformedMessage('it is not a CloudEvent: specversion is not "1.0"');
  const text = (field: string): string => {
    const value = fields[field];
    if (typeof value !== 'string' || value === '') throw new MalformedMessage(`${field} is missing or not a string`);
    if (value.length > maxTextLength) throw new MalformedMessage(`${field} has more than ${maxTextLength} characters`);
    return value;
  };
  if (!/^dev\.knative\.apiserver\.ref\.(add|update|delete)$/.test(text('type'))) {
    throw new MalformedMessage(`type ${quoted(fields.type)} is not ${typePrefix}(add|update|delete)`);
  }
  const { messageversion: version = 1 } = fields;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    throw new MalformedMessage('messageversion is not a whole number');
  }
  if (version > messageVersion) throw new LaterMessage(version);
  const key: Key = { name: objectName(text('name')) };
  if (fields.namespace !== undefined) key.namespace = objectName(text('namespace'));
  const resource = { apiVersion: text('apiversion'), kind: text('kind') };
  const crowded = fields.crowded === true ? { isCrowded: true as const } : {};
  return { cluster: text('source'), resource, key, ...crowded };
}

/** Names go into request paths, so nothing but a legal object name passes. */
function objectName(name: string): string {
  if (!isLegalName(name)) throw new MalformedMessage(`${quoted(name)} is not a valid object name`);
  return name;
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isLike(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}
