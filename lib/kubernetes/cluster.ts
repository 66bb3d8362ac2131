import type { NamespaceName, ResourceVersion, Uid } from './brands.ts';
import type { ClusterObject } from './objects.ts';
import type { Resource } from './resource.ts';
import type { ObjectName } from './resources.ts';

/** What must be unchanged in an object for a write to be accepted. */
export interface Preconditions {
  uid: Uid;
  resourceVersion: ResourceVersion;
}

/**
 * The few calls that a step makes to a cluster. Every failure is thrown as a `ClusterError` with a class
 * (see errors.ts), but an absent object is an answer and no failure.
 */
export interface Cluster {
  readonly name: string;
  get<T extends ClusterObject>(object: ObjectName<T>): Promise<T | undefined>;
  /** What there is of a kind in one namespace; without one, in the whole cluster. Of each object what `listed-fields.ts` says. */
  list<T extends ClusterObject>(
    resource: Resource<T>,
    namespace: NamespaceName | undefined,
    age?: Age,
    fields?: FieldSelector,
    keep?: Keep<NoInfer<T>>,
  ): Promise<T[]>;
  /** With dry run, the server only says whether it would: nothing is created. */
  create<T extends ClusterObject>(object: ObjectName<T>, body: NoInfer<T>, isDryRun?: boolean): Promise<T>;
  /** A JSON merge patch; the preconditions travel inside it, so the server refuses it when they no longer hold. */
  patch<T extends ClusterObject>(object: ObjectName<T>, body: object, options: PatchOptions): Promise<T>;
  /** Answers the object while finalizers hold it, and undefined when it is gone at once. */
  delete<T extends ClusterObject>(object: ObjectName<T>, preconditions: Preconditions): Promise<T | undefined>;
}

/** What is asked for only, by the few fields that the server can select by. Whoever asks looks at them again. */
export type FieldSelector = Record<string, string>;

/** Which of the objects of a list are kept, by what `listed-fields.ts` leaves of each: the others take no memory. */
export type Keep<T> = (object: T) => boolean;

/**
 * How old what is listed may be. The server needs some 70 ms to be sure of the present state; what it has seen most recently
 * it answers at once, which is right where a change a moment later would have the same effect.
 */
export type Age = 'present' | 'recent';

export interface PatchOptions {
  preconditions: Preconditions;
  subresource?: 'status';
}
