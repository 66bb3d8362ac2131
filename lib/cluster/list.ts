import { compile, type Scan } from '../json/scan.ts';
import type { Selection } from '../json/selection.ts';
import type { Api, Call } from './connection.ts';
import { ClusterError, errorFromAnswer } from './errors.ts';
import type { ClusterObject } from './objects.ts';
import { collectionPath, type Resource } from './resources.ts';

const pageSize = 500;
/** Without a second choice in it: a server that cannot answer so is to refuse, and not to send the contents after all. */
const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

interface Page {
  metadata: { resourceVersion: string; continue?: string };
  /** An empty list of metadata has null here. */
  items: ClusterObject[] | null;
}

export interface ListOptions {
  /** What of each object is wanted. */
  selection?: Selection;
  signal?: AbortSignal;
}

/** Lists all objects of a kind, page by page. Answers the resource version at which a watch continues. */
export async function listAll(
  api: Pick<Api, 'sendForBytes'>,
  resource: Resource,
  take: (object: ClusterObject) => void,
  { selection = { '*': true }, signal }: ListOptions = {},
): Promise<string> {
  const scan = compile({ metadata: true, items: selection });
  let version = '';
  let next: string | undefined = '';
  while (next !== undefined) {
    const query = new URLSearchParams({ limit: String(pageSize), ...(next ? { continue: next } : {}) });
    const page: Page = await readPage(api, resource, query, { scan, signal });
    for (const item of page.items ?? []) take(asOf(resource, item));
    version = page.metadata.resourceVersion;
    next = page.metadata.continue || undefined;
  }
  return version;
}

/** The version at which the server is now: not of what it has cached, but of what is stored. */
export async function currentVersion(
  api: Pick<Api, 'sendForBytes'>,
  resource: Resource,
  signal?: AbortSignal,
): Promise<string> {
  const reading = { scan: versionScan, signal };
  const { metadata } = await readPage(api, resource, new URLSearchParams({ limit: '1' }), reading);
  return metadata.resourceVersion;
}

const versionScan = compile({ metadata: true });

async function readPage(
  api: Pick<Api, 'sendForBytes'>,
  resource: Resource,
  query: URLSearchParams,
  { scan, signal }: { scan: Scan; signal: AbortSignal | undefined },
): Promise<Page> {
  const path = `${collectionPath(resource)}?${withSelector(query, resource)}`;
  const call: Call = { method: 'GET', path, ...(resource.metadataOnly ? { accept } : {}) };
  const { status, body } = await api.sendForBytes(call, signal);
  if (status !== 200) throw errorFromAnswer(status, body.toString('utf8'));
  try {
    return scan(body, 0, body.length) as Page;
  } catch {
    throw new ClusterError('unreachable', `a list of ${resource.plural} broke off in the middle`);
  }
}

export function withSelector(query: URLSearchParams, { fieldSelector }: Resource): URLSearchParams {
  if (fieldSelector !== undefined) query.set('fieldSelector', fieldSelector);
  return query;
}

/** Items of a list do not repeat their kind, and metadata is said to be of a kind of its own. */
export function asOf({ apiVersion, kind }: Resource, object: ClusterObject): ClusterObject {
  return Object.assign(object, { apiVersion, kind });
}
