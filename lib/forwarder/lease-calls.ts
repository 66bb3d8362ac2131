import type { Answer, Call, Connection } from '../kubernetes/connection.ts';
import { ClusterError, errorFromAnswer, isClusterError } from '../kubernetes/errors.ts';
import { collectionPath, type ObjectName, objectPath } from '../kubernetes/resources.ts';
import type { Clock } from '../runtime/clock.ts';
import { leaseNamespace as namespace, leaseResource as resource } from './lease-name.ts';
import type { LeaseRecord } from './lease-record.ts';

const { apiVersion, kind } = resource;

/** The maximum duration of a call. A later success is ignored. */
export interface CallLimit {
  milliseconds: number;
  signal?: AbortSignal;
}

/** A PUT replaces the whole object, which suits a precondition on its version. */
type LeaseCall = Omit<Call, 'method'> & { method: Call['method'] | 'PUT' };

/** The calls for one Lease. Their errors name what an administrator must do, if anything. */
export class LeaseCalls {
  private readonly connection: { send(call: LeaseCall): Promise<Answer> };
  private readonly clock: Clock;
  private readonly object: ObjectName;

  constructor(connection: Pick<Connection, 'send'>, clock: Clock, name: string) {
    this.connection = connection;
    this.clock = clock;
    this.object = { resource, namespace, name };
  }

  async read(limit: CallLimit): Promise<LeaseRecord | undefined> {
    try {
      return await this.call({ method: 'GET', path: objectPath(this.object) }, limit);
    } catch (error) {
      if (isClusterError(error, 'gone')) return undefined;
      throw error;
    }
  }

  /** An empty Lease, before its first write. */
  get unwritten(): LeaseRecord {
    return { apiVersion, kind, metadata: { namespace, name: this.object.name } };
  }

  /**
   * Creates a record without a version, and replaces one with a version, but only that version of that very object: with
   * the uid in it, the server does not recreate a deleted Lease.
   */
  async write(record: LeaseRecord, limit: CallLimit): Promise<LeaseRecord> {
    if (record.metadata.resourceVersion !== undefined) {
      return this.call({ method: 'PUT', path: objectPath(this.object), body: record }, limit);
    }
    try {
      return await this.call({ method: 'POST', path: collectionPath(resource, namespace), body: record }, limit);
    } catch (error) {
      if (!isClusterError(error, 'gone')) throw error;
      const advice = 'apply manifests/ to this cluster, the namespace first';
      throw new ClusterError('rejected', `the namespace ${namespace} is missing: ${advice}`, error.status);
    }
  }

  private async call(call: LeaseCall, limit: CallLimit): Promise<LeaseRecord> {
    const { status, body } = await this.withLimit(limit, this.connection.send(call));
    if (status >= 200 && status < 300) return parseRecord(body);
    const error = errorFromAnswer(status, body);
    if (error.class !== 'denied') throw error;
    const advice = 'apply manifests/rbac/forward.yaml to this cluster';
    throw new ClusterError('denied', `the forwarder's lease cannot be accessed: ${advice} (${error.message})`, status);
  }

  /** The connection's own timeout is longer than a lease can wait, as other calls have long responses. */
  private async withLimit({ milliseconds, signal }: CallLimit, answer: Promise<Answer>): Promise<Answer> {
    const over = new AbortController();
    const end = () => over.abort();
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end);
    try {
      const late = this.clock.pause(milliseconds, over.signal).then(() => undefined);
      const first = await Promise.race([answer, late]);
      if (first) return first;
    } finally {
      signal?.removeEventListener('abort', end);
      end();
    }
    throw new ClusterError('unreachable', `no answer about the Lease ${this.object.name} within ${milliseconds} ms`);
  }
}

function parseRecord(body: string): LeaseRecord {
  try {
    return JSON.parse(body) as LeaseRecord;
  } catch {
    throw new ClusterError(
      'unreachable',
      'the response for a Lease is not JSON, so it does not come from the API server',
    );
  }
}
