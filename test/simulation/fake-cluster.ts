import type { Cluster, PatchOptions, Preconditions } from '../../lib/cluster/cluster.ts';
import { ClusterError } from '../../lib/cluster/errors.ts';
import type { ClusterObject } from '../../lib/cluster/objects.ts';
import { type ObjectName, objectPath, type Resource, resourceOfKind, resources } from '../../lib/cluster/resources.ts';
import { mergePatch } from './merge-patch.ts';
import { Namespaces } from './namespaces.ts';

export interface ClusterChange {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  resource: Resource;
  object: ClusterObject;
}

/** Kinds whose status only the status subresource changes. */
const withStatus: Resource[] = [
  resources.claim,
  resources.volume,
  resources.transferRequest,
  resources.transferApproval,
  resources.bucket,
  resources.bucketContent,
];
const protection = 'kubernetes.io/pvc-protection';

/**
 * An API server in memory: resource versions, uids, preconditions, finalizers, deletion, status subresources, and quota.
 * Objects in it are never changed in place. It behaves as the real one was seen to; a test compares the two.
 */
export class FakeCluster implements Cluster {
  readonly name = 'test';
  readonly changes: ClusterChange[] = [];
  /** Called after every write that changed something. */
  onChange: (change: ClusterChange) => void = () => {};
  now: () => Date;
  readonly namespaces = new Namespaces();
  private readonly objects = new Map<string, ClusterObject>();
  private readonly previous = new Map<string, ClusterObject>();
  private version = 0;

  constructor(now: () => Date) {
    this.now = now;
  }

  read<T extends ClusterObject>(object: ObjectName): T | undefined {
    return this.objects.get(objectPath(object)) as T | undefined;
  }

  /** The version before the present one, as a lagging replica would answer. */
  readStale<T extends ClusterObject>(object: ObjectName): T | undefined {
    return (this.previous.get(objectPath(object)) ?? this.objects.get(objectPath(object))) as T | undefined;
  }

  all<T extends ClusterObject>(resource: Resource, namespace?: string): T[] {
    const found = [...this.objects.values()].filter(({ kind, metadata }) => {
      return kind === resource.kind && (namespace === undefined || metadata.namespace === namespace);
    });
    return found as T[];
  }

  async get<T extends ClusterObject>(object: ObjectName): Promise<T | undefined> {
    return this.read(object);
  }

  async list<T extends ClusterObject>(resource: Resource, namespace: string | undefined): Promise<T[]> {
    return this.all(resource, namespace);
  }

  /** What there was before the last change of this kind, as a cache that lags answers. */
  listStale<T extends ClusterObject>(resource: Resource, namespace: string | undefined): T[] {
    const present = this.all<T>(resource, namespace);
    const last = this.changes.findLast((change) => change.resource === resource);
    if (!last || (namespace !== undefined && last.object.metadata.namespace !== namespace)) return present;
    if (last.type === 'DELETED') return [...present, last.object as T];
    return last.type === 'ADDED'
      ? present.filter(({ metadata }) => metadata.uid !== last.object.metadata.uid)
      : present;
  }

  async create<T extends ClusterObject>(object: ObjectName, body: T): Promise<T> {
    const path = objectPath(object);
    // What is refused admission is not even compared with what is there.
    this.namespaces.admit(object, () => this.all(object.resource, object.namespace).length);
    if (this.objects.has(path)) throw new ClusterError('exists', `${path} already exists`, 409);
    const { status: _, ...withoutStatus } = body as T & { status?: unknown };
    const created = withStatus.includes(object.resource) ? withoutStatus : body;
    const isClaim = object.resource === resources.claim;
    this.store(path, object.resource, 'ADDED', {
      ...created,
      ...(isClaim ? { status: { phase: 'Pending' } } : {}),
      metadata: {
        ...body.metadata,
        uid: `00000000-0000-4000-8000-${String(this.version + 1).padStart(12, '0')}`,
        generation: 1,
        creationTimestamp: this.time(),
        ...(isClaim ? { finalizers: [...(body.metadata.finalizers ?? []), protection] } : {}),
      },
    } as ClusterObject);
    return this.objects.get(path) as T;
  }

  async patch<T extends ClusterObject>(object: ObjectName, body: object, options: PatchOptions): Promise<T> {
    return this.update(object, body, options.preconditions, options.subresource);
  }

  /** A patch as controllers and users make it, with preconditions or without. */
  update<T extends ClusterObject>(
    object: ObjectName,
    body: object,
    preconditions?: Preconditions,
    subresource?: 'status',
  ): T {
    const path = objectPath(object);
    const before = this.existing(path, preconditions);
    const after = mergePatch(before, onlyPart(body, object.resource, subresource)) as ClusterObject;
    if (JSON.stringify(after) === JSON.stringify(before)) return before as T;
    const isOther = JSON.stringify(contentOf(after)) !== JSON.stringify(contentOf(before));
    const generation = (before.metadata.generation ?? 1) + (isOther ? 1 : 0);
    const stored = { ...after, metadata: { ...after.metadata, generation } };
    if (after.metadata.deletionTimestamp && (after.metadata.finalizers ?? []).length === 0) {
      return this.drop(path, object.resource, stored) as T;
    }
    return this.store(path, object.resource, 'MODIFIED', stored) as T;
  }

  async delete<T extends ClusterObject>(object: ObjectName, preconditions?: Preconditions): Promise<T | undefined> {
    const path = objectPath(object);
    const before = this.existing(path, preconditions);
    if ((before.metadata.finalizers ?? []).length === 0) {
      this.drop(path, object.resource, before);
      return undefined;
    }
    if (before.metadata.deletionTimestamp) return before as T;
    const generation = (before.metadata.generation ?? 1) + 1;
    const metadata = { ...before.metadata, generation, deletionTimestamp: this.time() };
    return this.store(path, object.resource, 'MODIFIED', { ...before, metadata }) as T;
  }

  private existing(path: string, preconditions: Preconditions | undefined): ClusterObject {
    const before = this.objects.get(path);
    if (!before) throw new ClusterError('gone', `${path} not found`, 404);
    const { uid, resourceVersion } = before.metadata;
    if (preconditions && preconditions.resourceVersion !== resourceVersion) {
      throw new ClusterError('conflict', `${path} has been modified`, 409);
    }
    if (preconditions && preconditions.uid !== uid) {
      throw new ClusterError('rejected', `${path} is invalid: metadata.uid: field is immutable`, 422);
    }
    return before;
  }

  private store(path: string, resource: Resource, type: 'ADDED' | 'MODIFIED', object: ClusterObject): ClusterObject {
    this.version += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.version) } };
    const before = this.objects.get(path);
    if (before) this.previous.set(path, before);
    this.objects.set(path, stored);
    this.tell({ type, resource, object: stored });
    return stored;
  }

  private drop(path: string, resource: Resource, object: ClusterObject): ClusterObject {
    this.version += 1;
    this.objects.delete(path);
    this.previous.delete(path);
    const last = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.version) } };
    this.tell({ type: 'DELETED', resource, object: last });
    return last;
  }

  private tell(change: ClusterChange): void {
    this.changes.push(change);
    this.onChange(change);
  }

  private time(): string {
    return this.now().toISOString().replace(/\.\d+/, '');
  }
}

function onlyPart(body: object, resource: Resource, subresource: 'status' | undefined): object {
  if (!withStatus.includes(resource)) return body;
  const { status, ...rest } = body as { status?: unknown };
  return subresource === 'status' ? { status } : rest;
}

/** What a new generation is counted for: the wish, which some kinds have in `spec` and some beside it. */
function contentOf(object: ClusterObject): object {
  const { metadata: _, status: __, ...content } = object as ClusterObject & { status?: unknown };
  return content;
}

export function nameOfObject(object: ClusterObject): ObjectName {
  const resource = resourceOfKind(object.apiVersion, object.kind);
  if (!resource) throw new Error(`unknown kind ${object.kind} of ${object.apiVersion}`);
  const { namespace, name } = object.metadata;
  return namespace === undefined ? { resource, name } : { resource, namespace, name };
}
