import type { IncomingMessage } from 'node:http';
import type { Connection } from './connection.ts';
import { ClusterError, errorFromAnswer } from './errors.ts';
import type { ClusterObject } from './objects.ts';
import { collectionPath, type Resource } from './resources.ts';

const pageSize = 500;
/** The server ends a watch by itself after this; then the next one resumes where this one ended. */
const watchSeconds = 290;
/** A server that sends bookmarks is never silent for this long. */
const silenceTimeoutMs = 120_000;
/** Without a second choice in it: a server that cannot answer so is to refuse, and not to send the contents after all. */
const metadataOf = (kind: string) => ({ accept: `application/json;as=${kind};g=meta.k8s.io;v=v1` });

export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  object: ClusterObject;
}

/** Lists all objects of a kind, page by page. Answers the resource version at which a watch continues. */
export async function listAll(
  connection: Connection,
  resource: Resource,
  take: (object: ClusterObject) => void,
): Promise<string> {
  let version = '';
  let next: string | undefined = '';
  while (next !== undefined) {
    const query: string = new URLSearchParams({
      limit: String(pageSize),
      ...(next ? { continue: next } : {}),
    }).toString();
    const path = `${collectionPath(resource)}?${query}`;
    const form = resource.metadataOnly ? metadataOf('PartialObjectMetadataList') : {};
    const answer = await connection.send({ method: 'GET', path, ...form });
    if (answer.status !== 200) throw errorFromAnswer(answer.status, answer.body);
    const page = JSON.parse(answer.body) as {
      metadata: { resourceVersion: string; continue?: string };
      /** An empty list of metadata has null here. */
      items: ClusterObject[] | null;
    };
    for (const item of page.items ?? []) take(asOf(resource, item));
    version = page.metadata.resourceVersion;
    next = page.metadata.continue || undefined;
  }
  return version;
}

/** Items of a list do not repeat their kind, and metadata is said to be of a kind of its own. */
function asOf({ apiVersion, kind }: Resource, object: ClusterObject): ClusterObject {
  return { ...object, apiVersion, kind };
}

/** Yields the changes since a resource version, until the server ends the watch or the signal aborts it. */
export async function* watch(
  connection: Connection,
  resource: Resource,
  resourceVersion: string,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent> {
  const query = new URLSearchParams({
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion,
    timeoutSeconds: String(watchSeconds),
  });
  const path = `${collectionPath(resource)}?${query}`;
  const form = resource.metadataOnly ? metadataOf('PartialObjectMetadata') : {};
  const response = await connection.open({ method: 'GET', path, ...form }, undefined, silenceTimeoutMs, signal);
  if (response.statusCode !== 200) throw errorFromAnswer(response.statusCode ?? 0, await textOf(response));
  for await (const line of linesOf(response)) yield parseEvent(line, resource);
}

function parseEvent(line: string, resource: Resource): WatchEvent {
  const event = parseLine(line, resource);
  // An expired resource version is told inside the stream as well.
  if (event.type === 'ERROR') throw errorFromAnswer(Number(event.object.code ?? 0), JSON.stringify(event.object));
  const { type, object } = event as unknown as WatchEvent;
  return { type, object: asOf(resource, object) };
}

function parseLine(line: string, resource: Resource): { type: string; object: Record<string, unknown> } {
  try {
    return JSON.parse(line);
  } catch {
    throw new ClusterError('unreachable', `the watch of ${resource.plural} broke off in the middle of an object`);
  }
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  response.setEncoding('utf8');
  for await (const chunk of response) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
  if (rest !== '') yield rest;
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
