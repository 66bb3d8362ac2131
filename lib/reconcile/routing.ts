import type { Selection } from '../json/selection.ts';
import type { OfKind } from '../kubernetes/of-kind.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { Key } from '../kubernetes/resources.ts';

/** A change in a cluster, as the forwarder saw it. */
export interface Change extends OfKind {
  /** `listed` is what a list found: nothing is known of what happened before, so everything unfinished is taken up. */
  type: 'listed' | 'added' | 'updated' | 'deleted';
  seenAt: Date;
}

/** A key that a change concerns, and the function that reconciles it. */
export interface Route {
  function: string;
  resource: Resource;
  key: Key;
}

/**
 * What one capability knows of what is waited for, as far as a changed object itself does not tell. It holds names only.
 * It takes note of every change before it is asked for that change's routes, so that no wake-up is lost.
 */
export interface Router {
  note(change: Change): void;
  routesOf(change: Change): Route[];
  /** What is counted of the objects that it has noted. */
  readonly counts?: Counts | undefined;
}

/** What there is in a cluster, for whoever watches over it. */
export interface Counts {
  readonly volumes: number;
  /** Those that wait for somebody to decide. */
  readonly keptVolumes: number;
}

export interface Capability {
  name: string;
  /** To whom its routes lead: without one of them the others can do nothing. */
  functions: readonly string[];
  /** The kinds that it watches. */
  resources: readonly Resource[];
  /** What its router reads of them, beside the metadata. Of a kind that is not named here it may read anything. */
  reads?: ReadonlyMap<Resource, Selection>;
  createRouter(): Router;
}
