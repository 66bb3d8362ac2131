import type { NamespaceName, ResourceVersion, Uid } from './brands.ts';
import type { ClusterObject } from './objects.ts';
import type { Resource } from './resource.ts';
import type { ObjectName } from './resources.ts';

/** The fields of an object that must be unchanged for a write to be accepted. */
export interface Preconditions {
  uid: Uid;
  resourceVersion: ResourceVersion;
}

/**
 * The few calls that a step makes to a cluster. Every failure is thrown as a `ClusterError` with a class (see
 * errors.ts), but an absent object is a result and not a failure.
 */
export interface Cluster {
  readonly name: string;
  get<T extends ClusterObject>(object: ObjectName<T>): Promise<T | undefined>;
  /**
   * The objects of a kind in one namespace; without one, in the whole cluster. `listed-fields.ts` defines the fields of
   * each object.
   */
  list<T extends ClusterObject>(
    resource: Resource<T>,
    namespace: NamespaceName | undefined,
    age?: Age,
    fields?: FieldSelector,
    keep?: Keep<NoInfer<T>>,
  ): Promise<T[]>;
  /** With dry run, the server only validates: nothing is created. */
  create<T extends ClusterObject>(object: ObjectName<T>, body: NoInfer<T>, isDryRun?: boolean): Promise<T>;
  /** A JSON merge patch; the preconditions are part of it, so the server refuses it when they no longer hold. */
  patch<T extends ClusterObject>(object: ObjectName<T>, body: object, options: PatchOptions): Promise<T>;
  /** Returns the object while finalizers hold it, and undefined if it is gone at once. */
  delete<T extends ClusterObject>(object: ObjectName<T>, preconditions: Preconditions): Promise<T | undefined>;
}

/** Limits the request, by the few fields that the server can select by. Callers check the result again. */
export type FieldSelector = Record<string, string>;

/** Selects the objects of a list to keep, by the fields that `listed-fields.ts` selects: the others take no memory. */
export type Keep<T> = (object: T) => boolean;

/**
 * The permitted age of a list. The server needs some 70 ms to return the present state; from its cache it responds at
 * once, which is sufficient if a change a moment later would have the same effect.
 */
export type Age = 'present' | 'recent';

export interface PatchOptions {
  preconditions: Preconditions;
  subresource?: 'status';
}
