import type { Selection } from '../json/selection.ts';
import type { OfKind } from '../kubernetes/of-kind.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { Key } from '../kubernetes/resources.ts';

/** A change in a cluster, as the forwarder saw it. */
export interface Change extends OfKind {
  /** `listed`: found by a list. What happened before is unknown, so all unfinished work is resumed. */
  type: 'listed' | 'added' | 'updated' | 'deleted';
  seenAt: Date;
}

/** A key that a change concerns, and the function that reconciles it. */
export interface Route {
  function: string;
  resource: Resource;
  key: Key;
  /**
   * Only for what was listed, and is no unfinished work of the listed object:
   *
   * news   others wait for it, and are unfinished themselves: sent if it has changed since the checkpoint
   * check  it seems finished, and no list could show that it is not: sent once with each list
   */
  only?: 'news' | 'check';
}

/** An object, by name, and what is unfinished of it now. */
export interface Reconsidered {
  resource: Resource;
  key: Key;
  owner?: string | undefined;
  routes: Route[];
}

export function isUnfinishedWork({ only }: Route): boolean {
  return only === undefined;
}

/**
 * Maps changes to the keys that wait for them, from what the capability has seen before. It holds names only. It notes
 * every change before it is queried for that change's routes, so that no wake-up is lost.
 */
export interface Router {
  note(change: Change): void;
  routesOf(change: Change): Route[];
  /** The other objects of which this change, which was noted, may have finished or begun the work. */
  reconsider?(change: Change): Reconsidered[];
  /** The cluster lacks a kind, or does not show it: that none of its objects is noted means nothing. */
  leaveOut?(resource: Resource): void;
  /** Counts of the objects that it has seen. */
  readonly counts?: Counts | undefined;
}

/** Counts of objects in a cluster, for monitoring. */
export interface Counts {
  readonly volumes: number;
  /** Those that wait for someone to decide. */
  readonly keptVolumes: number;
}

export interface Capability {
  name: string;
  /** The functions of its routes: without any one of them the others cannot work. */
  functions: readonly string[];
  /** The kinds that it watches. */
  resources: readonly Resource[];
  /** The fields that its router reads, besides the metadata. Of kinds that are not listed, it may read anything. */
  reads?: ReadonlyMap<Resource, Selection>;
  createRouter(): Router;
}
