import { type ChangeTrace, traceparentOf } from '../tracing.ts';
import type { Age, Cluster, FieldSelector, PatchOptions, Preconditions } from './cluster.ts';
import type { Api, Call } from './connection.ts';
import { ClusterError, errorFromAnswer, isClusterError, parsedAnswer } from './errors.ts';
import type { ClusterObject } from './objects.ts';
import { collectionPath, type ObjectName, objectPath, type Resource } from './resources.ts';
import { isLacking } from './served.ts';
import { AnswerTooLong } from './whole-answer.ts';

const pageSize = '500';
/** Neither a page nor all of them may take the memory of whoever has other clusters to see to as well. */
const longestList = 128 * 1024 * 1024;

interface Page<T> {
  metadata?: { continue?: string };
  items: T[];
}

/** A cluster reached through the REST API of its API server. */
export class RestCluster implements Cluster {
  readonly name: string;
  private readonly connection: Pick<Api, 'send'>;
  private readonly trace: ChangeTrace | undefined;

  constructor(name: string, connection: Pick<Api, 'send'>, trace?: ChangeTrace) {
    this.name = name;
    this.connection = connection;
    this.trace = trace;
  }

  /** The same cluster, each call to which says that it is part of this trace. */
  tracedBy(trace: ChangeTrace): RestCluster {
    return new RestCluster(this.name, this.connection, trace);
  }

  async get<T extends ClusterObject>(object: ObjectName): Promise<T | undefined> {
    try {
      return await this.call<T>('GET', objectPath(object));
    } catch (error) {
      if (isClusterError(error, 'gone') || isLacking(object.resource, error)) return undefined;
      throw error;
    }
  }

  async list<T extends ClusterObject>(
    resource: Resource,
    namespace: string | undefined,
    age: Age = 'present',
    fields: FieldSelector = {},
  ): Promise<T[]> {
    for (const apiVersion of [resource.apiVersion, ...(resource.olderVersions ?? [])]) {
      const path = collectionPath({ ...resource, apiVersion }, namespace);
      try {
        return await this.listAt<T>(path, age, fields);
      } catch (error) {
        if (!isLacking(resource, error)) throw error;
      }
    }
    // What a cluster does not know of, it has none of.
    return [];
  }

  /** What it has seen most recently a server answers as a whole, however much is asked for; the present state in pages. */
  private async listAt<T>(path: string, age: Age, fields: FieldSelector): Promise<T[]> {
    try {
      return await this.pages<T>(path, listParameters(age, fields));
    } catch (error) {
      const isTooLong = error instanceof ClusterError && error.cause instanceof AnswerTooLong;
      if (!isTooLong || age === 'present') throw error;
      return this.pages<T>(path, listParameters('present', fields));
    }
  }

  private async pages<T>(path: string, about: Record<string, string>): Promise<T[]> {
    const all: T[] = [];
    let length = 0;
    for (let next: string | undefined = ''; next !== undefined; ) {
      const query = new URLSearchParams({ ...about, ...(next ? { continue: next } : {}) });
      const text = await this.answerTo('GET', `${path}?${query}`);
      length += text.length;
      if (length > longestList) throw new ClusterError('unreachable', `${path} has more than ${longestList} bytes`);
      const { items, metadata } = parsedAnswer<Page<T> | null>(text, path) ?? {};
      if (!Array.isArray(items))
        throw new ClusterError('unreachable', `${path} was answered by something else than a list`);
      for (const item of items) all.push(item);
      next = metadata?.continue || undefined;
    }
    return all;
  }

  async create<T extends ClusterObject>(object: ObjectName, body: T): Promise<T> {
    try {
      return await this.call<T>('POST', collectionPath(object.resource, object.namespace), body);
    } catch (error) {
      // What is not there is the namespace (or the kind): reading the object again would not help.
      if (isClusterError(error, 'gone')) throw new ClusterError('rejected', error.message, error.status);
      throw error;
    }
  }

  patch<T extends ClusterObject>(object: ObjectName, body: object, options: PatchOptions): Promise<T> {
    const path = options.subresource ? `${objectPath(object)}/${options.subresource}` : objectPath(object);
    const metadata = { ...('metadata' in body ? (body.metadata as object) : {}), ...options.preconditions };
    return this.call<T>('PATCH', path, { ...body, metadata }, 'application/merge-patch+json');
  }

  async delete<T extends ClusterObject>(object: ObjectName, preconditions: Preconditions): Promise<T | undefined> {
    const answer = await this.call<ClusterObject>('DELETE', objectPath(object), { preconditions });
    // The server answers with the object while a finalizer holds it, and with a Status when it is gone.
    return answer.kind === object.resource.kind ? (answer as T) : undefined;
  }

  private async call<T>(method: Call['method'], path: string, body?: object, contentType?: string) {
    return parsedAnswer<T>(await this.answerTo(method, path, body, contentType), path);
  }

  private async answerTo(method: Call['method'], path: string, body?: object, contentType?: string): Promise<string> {
    const answer = await this.connection.send({
      method,
      path,
      ...(body ? { body } : {}),
      ...(contentType ? { contentType } : {}),
      ...(this.trace ? { traceparent: traceparentOf(this.trace) } : {}),
    });
    if (answer.status >= 200 && answer.status < 300) return answer.body;
    throw errorFromAnswer(answer.status, answer.body, body !== undefined);
  }
}

function listParameters(age: Age, fields: FieldSelector): Record<string, string> {
  const selected = Object.entries(fields).map((each) => each.join('='));
  return {
    ...(age === 'recent' ? { resourceVersion: '0' } : { limit: pageSize }),
    ...(selected.length > 0 ? { fieldSelector: selected.join(',') } : {}),
  };
}
