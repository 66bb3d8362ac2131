import type { Age, Cluster, FieldSelector, Keep, PatchOptions, Preconditions } from '../../lib/kubernetes/cluster.ts';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import type { ObjectName } from '../../lib/kubernetes/resources.ts';
import { answeredError } from './answered-error.ts';
import type { FakeCluster } from './fake-cluster.ts';
import { type Lane, pass } from './gate.ts';

/** The cluster as one worker sees it: every call waits until the simulation lets it go on. */
export class GatedCluster implements Cluster {
  readonly name: string;
  private readonly cluster: FakeCluster;
  private readonly lane: Lane;
  private readonly staleKinds: readonly Resource[];

  constructor(cluster: FakeCluster, lane: Lane, staleKinds: readonly Resource[]) {
    this.name = cluster.name;
    this.cluster = cluster;
    this.lane = lane;
    this.staleKinds = staleKinds;
  }

  get<T extends ClusterObject>(object: ObjectName<T>): Promise<T | undefined> {
    const mayBeStale = this.staleKinds.includes(object.resource);
    const stale = mayBeStale ? () => this.cluster.readStale<T>(object) : undefined;
    return this.read('get', object, () => this.cluster.get(object), stale);
  }

  list<T extends ClusterObject>(
    resource: Resource<T>,
    namespace: string | undefined,
    age?: Age,
    fields?: FieldSelector,
    keep?: Keep<T>,
  ): Promise<T[]> {
    const stale = age === 'recent' ? () => this.cluster.listStale<T>(resource, namespace, keep) : undefined;
    const name = { resource, ...(namespace === undefined ? {} : { namespace }), name: '' };
    return this.read('list', name, () => this.cluster.list(resource, namespace, age, fields, keep), stale);
  }

  create<T extends ClusterObject>(object: ObjectName<T>, body: NoInfer<T>, isDryRun?: boolean): Promise<T> {
    return this.write('create', object, () => this.cluster.create(object, body, isDryRun));
  }

  patch<T extends ClusterObject>(object: ObjectName<T>, body: object, options: PatchOptions): Promise<T> {
    const { resourceVersion } = options.preconditions;
    return this.write('patch', object, () => this.cluster.patch(object, body, options), body, resourceVersion);
  }

  delete<T extends ClusterObject>(object: ObjectName<T>, preconditions: Preconditions): Promise<T | undefined> {
    return this.write('delete', object, () => this.cluster.delete(object, preconditions));
  }

  private read<T>(verb: string, object: ObjectName, act: () => Promise<T>, stale: (() => T) | undefined): Promise<T> {
    return pass(this.lane, { verb, object: display(object), writes: false, act, stale, lost });
  }

  private write<T>(
    verb: string,
    object: ObjectName,
    act: () => Promise<T>,
    body?: object,
    version?: string,
  ): Promise<T> {
    return pass(this.lane, { verb, object: display(object), writes: true, body, version, act, lost, conflict });
  }
}

function display({ resource, namespace, name }: ObjectName): string {
  return `${resource.kind} ${namespace ?? ''}/${name}`;
}

function lost(): Error {
  return answeredError('unreachable', 'the connection was lost', 502);
}

function conflict(): Error {
  return answeredError('conflict', 'injected conflict', 409);
}
