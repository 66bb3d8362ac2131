import type { OwnedResource } from '../drivers/sweepable-driver.ts';

/** A resource in a store, and where it was found. */
export interface FoundItem {
  /** The key of the store. */
  store: string;
  driver: string;
  item: OwnedResource;
  /** The accounts that reported it identically. */
  accounts: readonly string[];
  /** The clusters for which its reporters are trusted; undefined for all. */
  believedOf: readonly string[] | undefined;
}

/**
 * orphaned   no object of any cluster owns it
 * unclaimed  the same for a bucket, and no object names it: it may have been kept on purpose
 * missing    an object relies on it, and it does not exist
 * elsewhere  its tag names a cluster that this deployment does not have
 * undecided  a cluster that may have its owner could not be read
 */
export type Verdict = 'orphaned' | 'unclaimed' | 'missing' | 'elsewhere' | 'undecided';

export interface Finding {
  verdict: Verdict;
  /** For people, such as `user/cosi-…`. */
  name: string;
  kind: OwnedResource['kind'] | 'key' | 'credentials';
  driver: string;
  /** Undefined without a tag, or if its reporters are not trusted for that cluster. */
  cluster: string | undefined;
  /** The clusters that it is reported to and counted for, if not only `cluster`. */
  clusters?: readonly string[];
  owner: string;
  madeAt: number | undefined;
  /** One sentence. */
  message: string;
  /** The key of the store. */
  store: string;
  /** Only of a key. */
  user?: string;
}

export function nameOfItem(kind: string, name: string): string {
  return `${kind}/${name}`;
}

/** The clusters that a finding is reported to and counted for; none if unknown. */
export function clustersConcernedBy({ cluster, clusters }: Pick<Finding, 'cluster' | 'clusters'>): readonly string[] {
  return clusters ?? (cluster === undefined ? [] : [cluster]);
}
