import { countValues, TooManyValues } from '../json/bounds.ts';
import { readList } from '../json/list.ts';
import { DamagedJson, type Read } from '../json/parse.ts';
import type { LogFunction } from '../runtime/log.ts';
import { type Hold, type Memory, TooLarge } from '../runtime/memory/budget.ts';
import { valueBytes, weightOf } from '../runtime/memory/weight.ts';
import { type ChangeTrace, traceparentOf } from '../runtime/tracing.ts';
import type { RawAnswer } from './api.ts';
import type { NamespaceName } from './brands.ts';
import type { Age, Cluster, FieldSelector, Keep, PatchOptions, Preconditions } from './cluster.ts';
import type { Api, Call } from './connection.ts';
import { brokenOff, ClusterError, errorFromAnswer, isClusterError, parsedAnswer } from './errors.ts';
import { listOfLackingKind } from './lacking-kind.ts';
import { readingListed } from './listed-fields.ts';
import type { ClusterObject } from './objects.ts';
import { isTooLong, type PageRead, readPages } from './pages.ts';
import type { Resource } from './resource.ts';
import { collectionPath, type ObjectName, objectPath } from './resources.ts';
import { isLacking } from './served.ts';

/** Shared by the calls of one message. */
export interface CallContext {
  /** The trace that each call is part of. */
  trace?: ChangeTrace | undefined;
  /** The share whose memory is taken by what is read, as long as the share is open. */
  share?: Memory | undefined;
  /** Once aborted, nothing more is read. Writes in progress continue. */
  signal?: AbortSignal | undefined;
  /** Logs each response, only at level debug. */
  debug?: LogFunction | undefined;
}

/** A cluster reached through the REST API of its API server. */
export class RestCluster implements Cluster {
  readonly name: string;
  private readonly connection: Pick<Api, 'sendForBytes'>;
  private readonly context: CallContext;
  /** The memory of what was read for the message, by request: each response replaces the one before. */
  private readonly kept = new Map<string, Released>();

  constructor(name: string, connection: Pick<Api, 'sendForBytes'>, context: CallContext = {}) {
    this.name = name;
    this.connection = connection;
    this.context = context;
  }

  /** The same cluster for the calls of one message. */
  within(context: CallContext): RestCluster {
    return new RestCluster(this.name, this.connection, context);
  }

  async get<T extends ClusterObject>(object: ObjectName<T>): Promise<T | undefined> {
    try {
      return await this.call<T>('GET', objectPath(object));
    } catch (error) {
      if (isClusterError(error, 'gone') || isLacking(object.resource, error)) return undefined;
      throw error;
    }
  }

  async list<T extends ClusterObject>(
    resource: Resource<T>,
    namespace: NamespaceName | undefined,
    age: Age = 'present',
    fields: FieldSelector = {},
    keep: Keep<T> = () => true,
  ): Promise<T[]> {
    for (const apiVersion of [resource.apiVersion, ...(resource.olderVersions ?? [])]) {
      const path = collectionPath({ ...resource, apiVersion }, namespace);
      try {
        return await this.listAt<T>({ resource, path, keep }, age, fields);
      } catch (error) {
        if (!isLacking(resource, error)) throw error;
      }
    }
    // A cluster without the kind has no objects of it.
    return listOfLackingKind();
  }

  /**
   * From its cache the server returns a list as a whole, regardless of the limit; the present state is returned in
   * pages.
   */
  private async listAt<T>(list: List<T>, age: Age, fields: FieldSelector): Promise<T[]> {
    if (age === 'present') return this.inPages(list, fields);
    try {
      return await this.keeping(list, async (kept) => {
        await this.readPage(list, parametersFor(fields, { resourceVersion: '0' }), kept);
      });
    } catch (error) {
      if (!isTooLong(error)) throw error;
      return this.inPages(list, fields);
    }
  }

  private inPages<T>(list: List<T>, fields: FieldSelector): Promise<T[]> {
    return this.keeping(list, (kept) =>
      readPages((page) => this.readPage(list, parametersFor(fields, { ...page }), kept)),
    );
  }

  private async keeping<T>(list: List<T>, read: (kept: Kept<T>) => Promise<void>): Promise<T[]> {
    const kept = new Kept<T>(list);
    try {
      await read(kept);
    } catch (error) {
      kept.release();
      throw error;
    }
    this.settle(list.path, kept);
    return kept.objects;
  }

  /** Adds to what is kept. The bytes of the page are released. */
  private async readPage<T>({ path }: List<T>, query: URLSearchParams, kept: Kept<T>): Promise<PageRead> {
    const { body, held } = await this.answerTo('GET', `${path}?${query}`);
    try {
      const { metadata, isList } = attempt(path, () => readList(body, (start, end) => kept.take(body, start, end)));
      if (!isList) throw new ClusterError('unreachable', `${path} got a response that is not a list`);
      await kept.add(held, this.context.signal);
      return { bytes: body.length, next: metadata.continue || undefined };
    } catch (error) {
      held?.release();
      throw error instanceof TooLarge ? oversized(path, error) : error;
    }
  }

  async create<T extends ClusterObject>(object: ObjectName<T>, body: T, isDryRun = false): Promise<T> {
    const path = collectionPath(object.resource, object.namespace);
    try {
      return await this.call<T>('POST', isDryRun ? `${path}?dryRun=All` : path, body);
    } catch (error) {
      // The namespace (or the kind) does not exist: reading the object again would not help.
      if (isClusterError(error, 'gone')) throw new ClusterError('rejected', error.message, error.status);
      throw error;
    }
  }

  patch<T extends ClusterObject>(object: ObjectName<T>, body: object, options: PatchOptions): Promise<T> {
    const path = options.subresource ? `${objectPath(object)}/${options.subresource}` : objectPath(object);
    const metadata = { ...('metadata' in body ? (body.metadata as object) : {}), ...options.preconditions };
    return this.call<T>('PATCH', path, { ...body, metadata }, 'application/merge-patch+json');
  }

  async delete<T extends ClusterObject>(object: ObjectName<T>, preconditions: Preconditions): Promise<T | undefined> {
    const answer = await this.call<ClusterObject>('DELETE', objectPath(object), { preconditions });
    // The server answers with the object while a finalizer holds it, and with a Status when it is gone.
    return answer.kind === object.resource.kind ? (answer as T) : undefined;
  }

  private async call<T>(method: Call['method'], path: string, body?: object, contentType?: string): Promise<T> {
    const answer = await this.answerTo(method, path, body, contentType);
    try {
      const values = attempt(path, () => countValues(answer.body, 0, answer.body.length));
      await answer.held?.resize(2 * answer.body.length + values * valueBytes, this.context.signal);
      const parsed = parsedAnswer<T>(answer.body.toString('utf8'), path);
      if (answer.held) this.settle(path.replace(/\/status$/, ''), answer.held);
      return parsed;
    } catch (error) {
      answer.held?.release();
      throw error instanceof TooLarge ? oversized(path, error) : error;
    }
  }

  /** A response that was read for a message is held until the message is done. */
  private settle(key: string, held: Released): void {
    if (!this.context.share) {
      held.release();
      return;
    }
    this.kept.get(key)?.release();
    this.kept.set(key, held);
  }

  private async answerTo(
    method: Call['method'],
    path: string,
    body?: object,
    contentType?: string,
  ): Promise<RawAnswer> {
    const { trace, share, signal, debug } = this.context;
    const call: Call = {
      method,
      path,
      share,
      ...(body ? { body } : {}),
      ...(contentType ? { contentType } : {}),
      ...(trace ? { traceparent: traceparentOf(trace) } : {}),
    };
    const began = performance.now();
    const answer = await this.connection.sendForBytes(call, method === 'GET' ? signal : undefined);
    const { status } = answer;
    debug?.('answered', { call: `${method} ${path}`, status, milliseconds: Math.round(performance.now() - began) });
    if (status >= 200 && status < 300) return answer;
    answer.held?.release();
    throw errorFromAnswer(status, answer.body.toString('utf8'), body !== undefined);
  }
}

interface List<T> {
  resource: Resource;
  path: string;
  keep: Keep<T>;
}

type Released = Pick<Hold, 'release'>;

/** The objects of a list that are kept. */
class Kept<T> implements Released {
  readonly objects: T[] = [];
  private weight = 0;
  private holds: Hold[] = [];
  private readonly read: Read;
  private readonly keep: Keep<T>;

  constructor({ resource, keep }: List<T>) {
    this.read = readingListed(resource);
    this.keep = keep;
  }

  take(body: Buffer, start: number, end: number): void {
    const object = this.read(body, start, end) as T;
    if (!this.keep(object)) return;
    this.weight += weightOf(object);
    this.objects.push(object);
  }

  /** Of the page's bytes, only the kept ones are held from now on. */
  async add(held: Hold | undefined, signal: AbortSignal | undefined): Promise<void> {
    const { weight } = this;
    this.weight = 0;
    await held?.resize(weight, signal);
    if (held) this.holds.push(held);
  }

  release(): void {
    for (const held of this.holds) held.release();
    this.holds = [];
  }
}

/** A parser's message is not quoted: the response may be a Secret. */
function attempt<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TooManyValues) throw oversized(path, error);
    if (error instanceof DamagedJson) throw brokenOff(path);
    throw error;
  }
}

function oversized(path: string, cause: Error): ClusterError {
  return new ClusterError('oversized', `the response for ${path} is too large: ${cause.message}`, undefined, cause);
}

function parametersFor(fields: FieldSelector, about: Record<string, string>): URLSearchParams {
  const selected = Object.entries(fields).map((each) => each.join('='));
  return new URLSearchParams({ ...about, ...(selected.length > 0 ? { fieldSelector: selected.join(',') } : {}) });
}
