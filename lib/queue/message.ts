import { hash as sha } from 'node:crypto';
import { displayName, isLegalName, type Key, objectPath, type Resource } from '../cluster/resources.ts';

/**
 * The message: a CloudEvent 1.0 in the vocabulary of Knative's ApiServerSource in ref mode. It says which object is to be
 * reconciled, and never what that object contains: the step reads that itself, when it runs.
 */
export interface Message {
  cluster: string;
  resource: { apiVersion: string; kind: string };
  key: Key;
}

/** What made a message necessary: one version of one object. */
export interface Cause {
  uid: string;
  resourceVersion: string;
  type: 'add' | 'update' | 'delete';
}

export interface OutgoingMessage {
  function: string;
  body: string;
  groupId: string;
  deduplicationId: string;
}

export class MalformedMessage extends Error {
  constructor(reason: string) {
    super(`malformed message: ${reason}`);
    this.name = 'MalformedMessage';
  }
}

export interface MessageParts {
  cluster: string;
  function: string;
  resource: Resource;
  key: Key;
  cause: Cause;
  time: Date;
  /** Given by a resync, a replay or a redrive, whose messages must not be taken for duplicates of the first ones. */
  runId?: string;
}

export function buildMessage(parts: MessageParts): OutgoingMessage {
  const { cluster, key, cause, runId } = parts;
  const { apiVersion, kind } = parts.resource;
  const { namespace, name } = key;
  const id = hash(cluster, cause.uid, cause.resourceVersion, cause.type);
  // What is undefined does not come into the text.
  const body = {
    specversion: '1.0',
    id,
    source: cluster,
    type: `dev.knative.apiserver.ref.${cause.type}`,
    subject: objectPath({ resource: parts.resource, ...key }),
    time: parts.time.toISOString(),
    apiversion: apiVersion,
    kind,
    namespace,
    name,
    runid: runId,
    datacontenttype: 'application/json',
    data: { apiVersion, kind, namespace, name },
  };
  return {
    function: parts.function,
    body: JSON.stringify(body),
    groupId: hash(parts.function, cluster, displayName(key)),
    deduplicationId: hash(id, parts.function, displayName(key), runId ?? ''),
  };
}

export function parseMessage(body: string): Message {
  const event = parseJson(body);
  if (event.specversion !== '1.0') throw new MalformedMessage('it is no CloudEvent: specversion is not "1.0"');
  const text = (field: string): string => {
    const value = event[field];
    if (typeof value !== 'string' || value === '') throw new MalformedMessage(`${field} is missing or no text`);
    return value;
  };
  if (!/^dev\.knative\.apiserver\.ref\.(add|update|delete)$/.test(text('type'))) {
    throw new MalformedMessage(
      `type ${JSON.stringify(event.type)} is not dev.knative.apiserver.ref.(add|update|delete)`,
    );
  }
  const key: Key = { name: objectName(text('name')) };
  if (event.namespace !== undefined) key.namespace = objectName(text('namespace'));
  return { cluster: text('source'), resource: { apiVersion: text('apiversion'), kind: text('kind') }, key };
}

function parseJson(body: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw new MalformedMessage('it is not JSON');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new MalformedMessage('it is no JSON object');
  }
  return parsed as Record<string, unknown>;
}

/** Names go into request paths, so nothing but a legal object name passes. */
function objectName(name: string): string {
  if (!isLegalName(name)) {
    throw new MalformedMessage(`${JSON.stringify(name.slice(0, 80))} is no legal object name`);
  }
  return name;
}

function hash(...parts: string[]): string {
  return sha('sha256', parts.join('\n'));
}
