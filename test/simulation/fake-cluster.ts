import { selector } from '../../lib/json/selection.ts';
import type { Age, Cluster, FieldSelector, Keep, PatchOptions, Preconditions } from '../../lib/kubernetes/cluster.ts';
import { listedFieldsOf } from '../../lib/kubernetes/listed-fields.ts';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { nameOf, type ObjectName, objectPath, resourceOfKind, resources } from '../../lib/kubernetes/resources.ts';
import { pending } from '../../lib/reconcile/ready.ts';
import { answeredError } from './answered-error.ts';
import { withBothSources } from './data-source-fields.ts';
import { KeptObjects } from './kept-objects.ts';
import { mergePatch } from './merge-patch.ts';
import { Namespaces } from './namespaces.ts';
import { isSameValue } from './same-value.ts';

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
  resources.snapshot,
  resources.snapshotContent,
];
const protection = 'kubernetes.io/pvc-protection';
/** Those of our own have a status from the beginning: their definitions have a default. */
const withDefault: Resource[] = [
  resources.transferRequest,
  resources.transferApproval,
  resources.bucket,
  resources.bucketContent,
];
const defaultStatus = {
  conditions: [{ type: 'Ready', ...pending, lastTransitionTime: '1970-01-01T00:00:00Z' }],
};

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
  readonly namespaces: Namespaces;
  private readonly objects = new KeptObjects();
  /** Those whose default status is only shown, and becomes part of them with their first write, whatever it is about. */
  private readonly asDefined = new Set<string>();
  private version = 0;

  constructor(now: () => Date) {
    this.now = now;
    this.namespaces = new Namespaces(() => this.now());
  }

  read<T extends ClusterObject>(object: ObjectName<T>): T | undefined {
    if (object.resource === resources.namespace) return this.namespaces.get(object.name) as T | undefined;
    return this.objects.get(object) as T | undefined;
  }

  /** The version before the present one, as a lagging replica would answer. */
  readStale<T extends ClusterObject>(object: ObjectName<T>): T | undefined {
    return (this.objects.before(object) ?? this.objects.get(object)) as T | undefined;
  }

  all<T extends ClusterObject>(resource: Resource<T>, namespace?: string): T[] {
    return this.objects.all(resource, namespace) as T[];
  }

  async get<T extends ClusterObject>(object: ObjectName<T>): Promise<T | undefined> {
    return this.read(object);
  }

  async list<T extends ClusterObject>(
    resource: Resource<T>,
    namespace: string | undefined,
    _age?: Age,
    _fields?: FieldSelector,
    keep?: Keep<T>,
  ): Promise<T[]> {
    return listed(resource, this.all(resource, namespace), keep);
  }

  /** What there was before the last change of this kind, as a cache that lags answers. */
  listStale<T extends ClusterObject>(resource: Resource<T>, namespace: string | undefined, keep?: Keep<T>): T[] {
    return listed(resource, this.before<T>(resource, namespace), keep);
  }

  private before<T extends ClusterObject>(resource: Resource<T>, namespace: string | undefined): T[] {
    const present = this.all(resource, namespace);
    const last = this.changes.findLast((change) => change.resource === resource);
    if (!last || (namespace !== undefined && last.object.metadata.namespace !== namespace)) return present;
    if (last.type === 'DELETED') return [...present, last.object as T];
    return last.type === 'ADDED'
      ? present.filter(({ metadata }) => metadata.uid !== last.object.metadata.uid)
      : present;
  }

  async create<T extends ClusterObject>(object: ObjectName<T>, body: NoInfer<T>, isDryRun = false): Promise<T> {
    // What is refused admission is not even compared with what is there.
    this.namespaces.admit(object, () => this.all(object.resource, object.namespace).length);
    if (this.objects.get(object)) throw answeredError('exists', `${objectPath(object)} already exists`, 409);
    if (isDryRun) return body;
    const { resource }: ObjectName = object;
    const isClaim = resource === resources.claim;
    const { status: _, ...withoutStatus } = (isClaim ? withBothSources(body) : body) as T & { status?: unknown };
    const created = withStatus.includes(object.resource) ? withoutStatus : body;
    const stored = this.store(object, 'ADDED', {
      ...created,
      ...(isClaim ? { status: { phase: 'Pending' } } : {}),
      ...(withDefault.includes(object.resource) ? { status: defaultStatus } : {}),
      metadata: {
        ...body.metadata,
        uid: `00000000-0000-4000-8000-${String(this.version + 1).padStart(12, '0')}`,
        generation: 1,
        creationTimestamp: this.time(),
        ...(isClaim ? { finalizers: [...(body.metadata.finalizers ?? []), protection] } : {}),
      },
    } as ClusterObject);
    return stored as T;
  }

  async patch<T extends ClusterObject>(object: ObjectName<T>, body: object, options: PatchOptions): Promise<T> {
    return this.update(object, body, options.preconditions, options.subresource);
  }

  /** A patch as controllers and users make it, with preconditions or without. */
  update<T extends ClusterObject>(
    object: ObjectName<T>,
    body: object,
    preconditions?: Preconditions,
    subresource?: 'status',
  ): T {
    const before = this.existing(object, preconditions);
    const after = mergePatch(before, onlyPart(body, object.resource, subresource)) as ClusterObject;
    if (isSameValue(after, before) && !this.asDefined.has(objectPath(object))) return before as T;
    refuseNewFinalizers(object, before, after);
    const isOther = !isSameValue(contentOf(after), contentOf(before));
    const generation = (before.metadata.generation ?? 1) + (isOther ? 1 : 0);
    const stored = { ...after, metadata: { ...after.metadata, generation } };
    if (after.metadata.deletionTimestamp && (after.metadata.finalizers ?? []).length === 0) {
      return this.drop(object, stored) as T;
    }
    return this.store(object, 'MODIFIED', stored) as T;
  }

  async delete<T extends ClusterObject>(object: ObjectName<T>, preconditions?: Preconditions): Promise<T | undefined> {
    const before = this.existing(object, preconditions);
    if ((before.metadata.finalizers ?? []).length === 0) {
      this.drop(object, before);
      return undefined;
    }
    if (before.metadata.deletionTimestamp) return before as T;
    const generation = (before.metadata.generation ?? 1) + 1;
    const metadata = { ...before.metadata, generation, deletionTimestamp: this.time() };
    return this.store(object, 'MODIFIED', { ...before, metadata }) as T;
  }

  private existing(object: ObjectName, preconditions: Preconditions | undefined): ClusterObject {
    const before = this.objects.get(object);
    if (!before) throw answeredError('gone', `${objectPath(object)} not found`, 404);
    const { uid, resourceVersion } = before.metadata;
    if (preconditions && preconditions.resourceVersion !== resourceVersion) {
      throw answeredError('conflict', `${objectPath(object)} has been modified`, 409);
    }
    if (preconditions && preconditions.uid !== uid) {
      throw answeredError('rejected', `${objectPath(object)} is invalid: metadata.uid: field is immutable`, 422);
    }
    return before;
  }

  private store(object: ObjectName, type: 'ADDED' | 'MODIFIED', body: ClusterObject): ClusterObject {
    this.version += 1;
    if (type === 'ADDED' && withDefault.includes(object.resource)) this.asDefined.add(objectPath(object));
    else this.asDefined.delete(objectPath(object));
    const stored = { ...body, metadata: { ...body.metadata, resourceVersion: String(this.version) } };
    this.objects.set(object, stored);
    this.tell({ type, resource: object.resource, object: stored });
    return stored;
  }

  private drop(object: ObjectName, body: ClusterObject): ClusterObject {
    this.version += 1;
    this.objects.delete(object);
    const last = { ...body, metadata: { ...body.metadata, resourceVersion: String(this.version) } };
    this.tell({ type: 'DELETED', resource: object.resource, object: last });
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

/** What is being deleted can only lose finalizers. */
function refuseNewFinalizers(object: ObjectName, before: ClusterObject, after: ClusterObject): void {
  if (!before.metadata.deletionTimestamp) return;
  const added = (after.metadata.finalizers ?? []).filter((each) => !before.metadata.finalizers?.includes(each));
  if (added.length === 0) return;
  const reason = 'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted';
  throw answeredError('rejected', `${objectPath(object)} is invalid: ${reason}`, 422);
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

/** What an object says of its own kind is taken for true. */
export function nameOfObject<T extends ClusterObject>(object: T): ObjectName<T> {
  const resource = resourceOfKind(object.apiVersion, object.kind);
  if (!resource) throw new Error(`unknown kind ${object.kind} of ${object.apiVersion}`);
  return nameOf(resource as Resource<T>, object.metadata.namespace, object.metadata.name);
}

const selectors = new Map<Resource, (value: unknown) => unknown>();

/** Of the objects of a list no more comes than the real client keeps. */
function listed<T extends ClusterObject>(resource: Resource<T>, objects: T[], keep: Keep<T> = () => true): T[] {
  const select = selectors.get(resource) ?? selector(listedFieldsOf(resource));
  selectors.set(resource, select);
  return objects.map((object) => select(object) as T).filter(keep);
}
