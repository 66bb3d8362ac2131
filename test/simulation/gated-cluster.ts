import type { Age, Cluster, PatchOptions, Preconditions } from '../../lib/cluster/cluster.ts';
import { ClusterError } from '../../lib/cluster/errors.ts';
import type { ClusterObject } from '../../lib/cluster/objects.ts';
import { type ObjectName, type Resource, resources } from '../../lib/cluster/resources.ts';
import type { FakeCluster } from './fake-cluster.ts';

/** A call that a worker has made and that has not been answered yet. */
export interface PendingCall {
  worker: number;
  verb: string;
  object: string;
  writes: boolean;
  /** What a patch or a creation carries. */
  body: object | undefined;
  issuedAt: number;
  /** Lets the call reach the cluster, and answers it as told. */
  answer: (manner: Manner) => Promise<void>;
}

/**
 * How the network treats a call: it succeeds, is lost on the way there, or takes effect while its answer is lost, and the
 * worker either sees an error or dies with the call.
 */
export type Manner = 'ok' | 'stale' | 'lost before' | 'lost after' | 'conflict' | 'dies before' | 'dies after';

/** The cluster as one worker sees it: every call waits until the simulation lets it go on. */
export class GatedCluster implements Cluster {
  readonly name: string;
  private readonly cluster: FakeCluster;
  private readonly worker: number;
  private readonly enqueue: (call: PendingCall) => void;
  private readonly beforeWrite: (call: PendingCall) => void;

  constructor(
    cluster: FakeCluster,
    worker: number,
    enqueue: (call: PendingCall) => void,
    beforeWrite: (call: PendingCall) => void,
  ) {
    this.name = cluster.name;
    this.cluster = cluster;
    this.worker = worker;
    this.enqueue = enqueue;
    this.beforeWrite = beforeWrite;
  }

  get<T extends ClusterObject>(object: ObjectName): Promise<T | undefined> {
    // Consent that was withdrawn a moment ago may always be seen; what must survive staleness is the storage.
    const mayBeStale = object.resource === resources.claim || object.resource === resources.volume;
    const stale = mayBeStale ? () => this.cluster.readStale<T>(object) : undefined;
    return this.gate('get', object, false, () => this.cluster.get<T>(object), stale);
  }

  list<T extends ClusterObject>(resource: Resource, namespace: string, age?: Age): Promise<T[]> {
    const stale = age === 'recent' ? () => this.cluster.listStale<T>(resource, namespace) : undefined;
    const list = () => this.cluster.list<T>(resource, namespace);
    return this.gate('list', { resource, namespace, name: '' }, false, list, stale);
  }

  create<T extends ClusterObject>(object: ObjectName, body: T): Promise<T> {
    return this.gate('create', object, true, () => this.cluster.create(object, body));
  }

  patch<T extends ClusterObject>(object: ObjectName, body: object, options: PatchOptions): Promise<T> {
    return this.gate('patch', object, true, () => this.cluster.patch<T>(object, body, options), undefined, body);
  }

  delete<T extends ClusterObject>(object: ObjectName, preconditions: Preconditions): Promise<T | undefined> {
    return this.gate('delete', object, true, () => this.cluster.delete<T>(object, preconditions));
  }

  private gate<T>(
    verb: string,
    { resource, namespace, name }: ObjectName,
    writes: boolean,
    act: () => Promise<T>,
    stale?: () => T,
    body?: object,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const call: PendingCall = {
        worker: this.worker,
        verb,
        object: `${resource.kind} ${namespace ?? ''}/${name}`,
        writes,
        body,
        issuedAt: this.cluster.now().getTime(),
        answer: async (manner) => {
          const reaches = manner === 'ok' || manner === 'stale' || manner === 'lost after' || manner === 'dies after';
          if (reaches && writes) this.beforeWrite(call);
          const result = reaches ? await settle(act) : undefined;
          if (manner === 'stale' && stale) return resolve(stale());
          if (manner === 'ok' || manner === 'stale')
            return result?.error ? reject(result.error) : resolve(result?.value as T);
          if (manner === 'lost before' || manner === 'lost after') {
            return reject(new ClusterError('unreachable', 'the connection was lost', 502));
          }
          if (manner === 'conflict') return reject(new ClusterError('conflict', 'injected conflict', 409));
          // A worker that dies never sees an answer.
          return undefined;
        },
      };
      this.enqueue(call);
    });
  }
}

async function settle<T>(act: () => Promise<T>): Promise<{ value?: T; error?: unknown }> {
  try {
    return { value: await act() };
  } catch (error) {
    return { error };
  }
}
