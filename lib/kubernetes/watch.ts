import { LineSplitter } from '../json/lines.ts';
import { parse, type Read, reading } from '../json/parse.ts';
import { mergeSelections, type Selection } from '../json/selection.ts';
import type { ResourceVersion } from './brands.ts';
import { type Api, type Call, maxAnswerBytes, type Stream } from './connection.ts';
import { ClusterError, errorFromAnswer, isClusterError } from './errors.ts';
import { asOf, withSelector } from './list.ts';
import type { ClusterObject } from './objects.ts';
import type { Resource } from './resource.ts';
import { collectionPath } from './resources.ts';

/** The server ends a watch by itself after this; then the next one resumes where this one ended. */
const watchSeconds = 290;
/** A server that sends bookmarks is never silent for this long. */
const silenceTimeoutMs = 120_000;
/** No object of a cluster is longer: see `maxAnswerBytes`. */
const maxLineBytes = maxAnswerBytes + 64 * 1024;
/** The maximum to read of a response that is not a watch: its beginning contains the error. */
const maxRefusalBytes = 64 * 1024;
const endOfListAnnotation = 'k8s.io/initial-events-end';
/** Without an alternative: a server that cannot respond like this must refuse, and not send the contents after all. */
const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';

export interface WatchEvent {
  /** LISTED is the bookmark that ends the list with which a watch began. */
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'LISTED';
  object: ClusterObject;
}

export interface WatchOptions {
  /** The version after which to begin; without it the watch begins with all existing objects. */
  from?: ResourceVersion;
  signal: AbortSignal;
  /** The fields of each object to keep. */
  selection?: Selection;
  silenceTimeoutMs?: number;
}

const everything: Selection = { '*': true };
/** The fields that a watch itself needs, whatever its caller selects. */
const own: Selection = { metadata: { resourceVersion: true, annotations: { [endOfListAnnotation]: true } } };

/**
 * Yields the changes, those that arrive together at a time, until the server ends the watch or the signal aborts it.
 */
export async function* watch(api: Api, resource: Resource, options: WatchOptions): AsyncGenerator<WatchEvent[]> {
  const read = reading({ type: true, object: mergeSelections(options.selection ?? everything, own) });
  const stream = await openWatch(api, resource, options);
  const lines = new LineSplitter();
  for await (const chunk of stream) {
    const events: WatchEvent[] = [];
    const failure = attempt(() =>
      lines.push(chunk, (bytes, start, end) => {
        events.push(readEvent((using) => using(bytes, start, end), read, resource));
      }),
    );
    // Events before one that cannot be read are complete, and need not be requested again.
    if (events.length > 0) yield events;
    if (failure) throw failure;
    if (lines.restBytes > maxLineBytes) throw endless(resource);
  }
  if (lines.hasRest) throw brokenOff(resource);
}

/** True if the server begins such a watch, which is then ended at once. */
export async function canWatch(api: Api, resource: Resource, options: WatchOptions): Promise<boolean> {
  const over = new AbortController();
  try {
    await openWatch(api, resource, { ...options, signal: AbortSignal.any([options.signal, over.signal]) });
    return true;
  } finally {
    over.abort();
  }
}

async function openWatch(api: Api, resource: Resource, options: WatchOptions): Promise<Stream> {
  const { from, signal } = options;
  const start: Record<string, string> =
    from === undefined
      ? { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' }
      : { resourceVersion: from };
  const query = new URLSearchParams({
    watch: 'true',
    allowWatchBookmarks: 'true',
    ...start,
    timeoutSeconds: String(watchSeconds),
  });
  const call: Call = {
    method: 'GET',
    path: `${collectionPath(resource)}?${withSelector(query, resource)}`,
    ...(resource.metadataOnly ? { accept } : {}),
  };
  const stream = await api.open(call, options.silenceTimeoutMs ?? silenceTimeoutMs, signal);
  if (stream.statusCode !== 200) throw errorFromAnswer(stream.statusCode ?? 0, await textOf(stream));
  return stream;
}

/** True if a server does not begin a watch with a list: it may be too old for that, or have it switched off. */
export function isStreamingRefused(error: unknown): boolean {
  return isClusterError(error, 'rejected') && /sendInitialEvents|resourceVersionMatch/.test(error.message);
}

type Line = (read: Read) => unknown;

function readEvent(line: Line, read: Read, resource: Resource): WatchEvent {
  const { type, object } = readLine(line, read, resource) as WatchedLine;
  // An expired resource version can also be reported inside the stream.
  if (type === 'ERROR') {
    const { object: status } = readLine(line, parse, resource) as { object: { code?: number } };
    throw errorFromAnswer(Number(status.code ?? 0), JSON.stringify(status));
  }
  const isEndOfList = type === 'BOOKMARK' && object.metadata.annotations?.[endOfListAnnotation] === 'true';
  return { type: isEndOfList ? 'LISTED' : type, object: asOf(resource, object) };
}

interface WatchedLine {
  type: WatchEvent['type'] | 'ERROR';
  object: ClusterObject;
}

function readLine(line: Line, read: Read, resource: Resource): unknown {
  try {
    return line(read);
  } catch {
    throw brokenOff(resource);
  }
}

function brokenOff({ plural }: Resource): ClusterError {
  return new ClusterError('unreachable', `the watch of ${plural} was cut off in the middle of an object`);
}

function endless({ plural }: Resource): ClusterError {
  return new ClusterError('unreachable', `the watch of ${plural} has a line of more than ${maxLineBytes} bytes`);
}

function attempt(action: () => void): unknown {
  try {
    action();
    return undefined;
  } catch (error) {
    return error;
  }
}

async function textOf(stream: Stream): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    length += chunk.length;
    if (length > maxRefusalBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
