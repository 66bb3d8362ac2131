import type { Owned } from '../drivers/owned.ts';

/** Something in a store, and where it was found. */
export interface FoundItem {
  /** The key of the store. */
  store: string;
  driver: string;
  item: Owned;
  /** The accounts that have told of it, all with the same words. */
  accounts: readonly string[];
  /** Of which clusters whoever has told of it is believed; undefined for all. */
  believedOf: readonly string[] | undefined;
}

/**
 * orphaned   no object of any cluster is its owner
 * unclaimed  the same of a bucket, and none means it by its name: it may have been kept on purpose
 * missing    an object has been told that it is there, and it is not
 * elsewhere  it says that it is of a cluster that this deployment does not have
 * undecided  a cluster that may have its owner could not be read
 */
export type Verdict = 'orphaned' | 'unclaimed' | 'missing' | 'elsewhere' | 'undecided';

export interface Finding {
  verdict: Verdict;
  /** What people name it by, such as `user/cosi-…`. */
  name: string;
  kind: Owned['kind'] | 'key' | 'credentials';
  driver: string;
  /** Undefined where it says none, or one that it is not believed of. */
  cluster: string | undefined;
  /** Whom it is told to and counted for, where that is not the cluster alone. */
  clusters?: readonly string[];
  owner: string;
  madeAt: number | undefined;
  /** What is the matter, in a sentence. */
  message: string;
  /** The key of the store. */
  store: string;
  /** Of a key. */
  user?: string;
}

export function nameOfItem(kind: string, name: string): string {
  return `${kind}/${name}`;
}

/** Whom something that was found is told to and counted for; nobody where that is not known. */
export function concernedBy({ cluster, clusters }: Pick<Finding, 'cluster' | 'clusters'>): readonly string[] {
  return clusters ?? (cluster === undefined ? [] : [cluster]);
}
