import { randomBytes, hash as sha } from 'node:crypto';
import type { Uid } from '../kubernetes/brands.ts';
import { displayName, type Key } from '../kubernetes/resources.ts';
import type { Cause, OutgoingMessage } from './message-parts.ts';

/** SQS accepts no longer ones, and only printable ASCII. */
const maxLength = 128;

export interface Identified {
  cluster: string;
  key: Key;
  cause: Cause;
  runId?: string | undefined;
}

export interface Identifiers {
  /** The same for one change, whichever forwarder sends it. */
  id: string;
  /** Messages of one key are processed one after the other. */
  groupId: string;
  deduplicationId: string;
  /** The same change always begins the same trace. */
  traceparent: string;
}

/**
 * The identifiers of a message. If all names are legal in Kubernetes, as they are except for malicious ones, the
 * identifiers are composed of them: people can read them, and a hash was measured to cost more than the rest of a
 * message.
 */
export function identifiersOf(identified: Identified): Identifiers {
  return plainOf(identified) ?? hashedOf(identified);
}

/**
 * The message group of a key. Functions refuse a message in the group of another key, so a release that composes groups
 * in another way has to accept both ways until the messages of the previous release are gone.
 */
export function groupIdOf(cluster: string, key: Key): string {
  const lane = `${cluster}/${displayName(key)}`;
  return fits(lane) ? lane : hash(cluster, displayName(key));
}

/** True if this can be the group of a key: a path of names, or a hash. Hand-made messages may be in any other group. */
export function isGroupOfAKey(groupId: string): boolean {
  return groupId.includes('/') || /^[0-9a-f]{64}$/.test(groupId);
}

/** Undefined if anything is too long, or not plain: if the whole is plain, so is each part of it. */
function plainOf({ cluster, key, cause, runId }: Identified): Identifiers | undefined {
  if (!isUuid(cause.uid)) return undefined;
  const id = plainIdOf(cause);
  const groupId = `${cluster}/${displayName(key)}`;
  const deduplicationId = onceOf(id, groupId, runId);
  if (!fits(deduplicationId)) return undefined;
  return { id, groupId, deduplicationId, traceparent: traceparentOf(cause) ?? traceOf(hash(id)) };
}

function hashedOf({ cluster, key, cause, runId }: Identified): Identifiers {
  const id = idOf(cluster, cause);
  const lane = `${cluster}/${displayName(key)}`;
  const groupId = groupIdOf(cluster, key);
  const once = onceOf(id, lane, runId);
  const deduplicationId = fits(once) ? once : hash(id, groupId, runId ?? '');
  return { id, groupId, deduplicationId, traceparent: traceparentOf(cause) ?? traceOf(hash(id)) };
}

function onceOf(id: string, lane: string, runId: string | undefined): string {
  return runId === undefined ? `${id}/${lane}` : `${id}/${runId}/${lane}`;
}

/** A string that no other run has, and as short as possible: it is part of each message of its run. */
export function newRunId(): string {
  return randomBytes(6).toString('hex');
}

/**
 * In another run, a message counts as another message. Its body is part of the id: anyone who can write into an archive
 * knows the ids in it, and the queue would otherwise take their message, sent first, for the original.
 */
export function deduplicationIdAgain(message: OutgoingMessage, runId: string): string {
  const { function: name, groupId, deduplicationId, body } = message;
  return hash(JSON.stringify([deduplicationId, name, groupId, body, runId]));
}

function plainIdOf({ uid, resourceVersion, type }: Cause): string {
  return `${uid}.${resourceVersion}.${type}`;
}

function idOf(cluster: string, cause: Cause): string {
  const { uid, resourceVersion, type } = cause;
  const id = plainIdOf(cause);
  return isUuid(uid) && fits(id) ? id : hash(cluster, uid, resourceVersion, type);
}

/** The version and half of the uid: no other change of any object has both. */
function traceparentOf({ uid, resourceVersion }: Cause): string | undefined {
  const version = Number(resourceVersion);
  if (!isUuid(uid) || !Number.isSafeInteger(version) || version < 0) return undefined;
  return traceOf(
    `${version.toString(16).padStart(16, '0')}${uid.slice(19, 23)}${uid.slice(24)}${uid.slice(0, 8)}${uid.slice(9, 13)}${uid.slice(14, 18)}`,
  );
}

/** Of 48 hexadecimal digits, the first 32 name the trace. */
function traceOf(digits: string): string {
  return `00-${digits.slice(0, 32)}-${digits.slice(32, 48)}-01`;
}

function isUuid(uid: Uid): boolean {
  return uid.length === 36 && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uid);
}

function fits(identifier: string): boolean {
  return identifier.length <= maxLength && /^[A-Za-z0-9./_-]+$/.test(identifier);
}

function hash(...parts: string[]): string {
  return sha('sha256', parts.join('\n'));
}
