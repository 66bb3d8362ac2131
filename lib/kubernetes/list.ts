import { TooManyValues } from '../json/bounds.ts';
import { type ListHead, readList } from '../json/list.ts';
import { DamagedJson, reading } from '../json/parse.ts';
import type { Selection } from '../json/selection.ts';
import type { ResourceVersion } from './brands.ts';
import type { Api, Call } from './connection.ts';
import { ClusterError, errorFromAnswer } from './errors.ts';
import type { ClusterObject } from './objects.ts';
import { readPages } from './pages.ts';
import type { Resource } from './resource.ts';
import { collectionPath } from './resources.ts';

/** Without an alternative: a server that cannot respond like this must refuse, and not send the contents after all. */
const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

export interface ListOptions {
  /** The fields of each object to keep. */
  selection?: Selection;
  signal?: AbortSignal;
}

/** Lists all objects of a kind, page by page. Returns the resource version at which a watch continues. */
export async function listAll(
  api: Pick<Api, 'sendForBytes'>,
  resource: Resource,
  take: (object: ClusterObject) => void,
  { selection = { '*': true }, signal }: ListOptions = {},
): Promise<ResourceVersion> {
  const read = reading(selection);
  let version: ResourceVersion = '';
  await readPages(async (page) => {
    const query = new URLSearchParams({ ...page });
    const { head, bytes } = await readPage(api, resource, query, signal, (body, start, end) => {
      take(asOf(resource, read(body, start, end) as ClusterObject));
    });
    version = head.metadata.resourceVersion ?? '';
    return { bytes, next: head.metadata.continue || undefined };
  });
  return version;
}

/** The server's current version: of the store, not of its cache. */
export async function currentVersion(
  api: Pick<Api, 'sendForBytes'>,
  resource: Resource,
  signal?: AbortSignal,
): Promise<ResourceVersion> {
  const { head } = await readPage(api, resource, new URLSearchParams({ limit: '1' }), signal, () => {});
  return head.metadata.resourceVersion ?? '';
}

type TakeBytes = (body: Buffer, start: number, end: number) => void;

async function readPage(
  api: Pick<Api, 'sendForBytes'>,
  resource: Resource,
  query: URLSearchParams,
  signal: AbortSignal | undefined,
  take: TakeBytes,
): Promise<{ head: ListHead; bytes: number }> {
  const path = `${collectionPath(resource)}?${withSelector(query, resource)}`;
  const call: Call = { method: 'GET', path, ...(resource.metadataOnly ? { accept } : {}) };
  const { status, body, held } = await api.sendForBytes(call, signal);
  try {
    if (status !== 200) throw errorFromAnswer(status, body.toString('utf8'));
    return { head: readItems(body, resource, take), bytes: body.length };
  } finally {
    held?.release();
  }
}

function readItems(body: Buffer, { plural }: Resource, take: TakeBytes): ListHead {
  try {
    return readList(body, (start, end) => take(body, start, end));
  } catch (error) {
    if (error instanceof TooManyValues)
      throw new ClusterError('oversized', `one of the ${plural} is too large: ${error.message}`);
    if (!(error instanceof DamagedJson)) throw error;
    throw new ClusterError('unreachable', `a list of ${plural} was cut off`);
  }
}

export function withSelector(query: URLSearchParams, { fieldSelector }: Resource): URLSearchParams {
  if (fieldSelector !== undefined) query.set('fieldSelector', fieldSelector);
  return query;
}

/** Items of a list do not repeat their kind, and partial metadata has a kind of its own. */
export function asOf({ apiVersion, kind }: Resource, object: ClusterObject): ClusterObject {
  return Object.assign(object, { apiVersion, kind });
}
