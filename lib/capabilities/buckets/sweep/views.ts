import type { Parameters } from '../drivers/driver.ts';
import type { SweepableDriver } from '../drivers/sweepable-driver.ts';
import type { BucketClass, BucketContent } from '../objects.ts';

/** The objects of a cluster that name stores, and the owners of resources in them. */
export interface ClusterView {
  cluster: string;
  contents: readonly BucketContent[];
  classes: readonly BucketClass[];
}

export interface Views {
  read: readonly ClusterView[];
  /** The names of the clusters that could not be read: their resources are unknown. */
  unread: readonly string[];
}

/** A content and its cluster. */
export interface PlacedContent {
  cluster: string;
  content: BucketContent;
}

/** Identifies a content across readings. */
export function placeOf({ cluster, content }: PlacedContent): string {
  return `${cluster}/${content.metadata.name}`;
}

/** The store's access key in the Secret of each content, by `placeOf`; missing if not known. */
export type HeldKeys = ReadonlyMap<string, string | undefined>;

export function contentsIn({ read }: Views): PlacedContent[] {
  return read.flatMap(({ cluster, contents }) => contents.map((content) => ({ cluster, content })));
}

/** True if its status reports bucket and credentials as ready, and it is not being deleted. */
export function isServed({ metadata, status }: BucketContent): boolean {
  return metadata.deletionTimestamp === undefined && (status?.phase === 'Ready' || status?.phase === 'Bound');
}

/**
 * Two deployments may serve drivers of the same name in one cluster. Users and roles of the other one are below its own path,
 * which this one may not even read, so it does not account for them.
 */
export function isOurs({ status }: BucketContent, identity: string): boolean {
  return (status?.startedBy ?? identity) === identity;
}

/**
 * The names of the buckets that any object refers to, regardless of their first owners: a retained bucket outlives its first
 * owner, and others then use it by its name. Stores are not distinguished: in doubt a bucket is kept.
 */
export function claimedBuckets({ read }: Views): ReadonlySet<string> {
  const names = read.flatMap(({ contents, classes }) => [
    ...contents.map(({ spec }) => spec.bucketIdentifier),
    ...classes.map(({ bucketIdentifier }) => bucketIdentifier),
  ]);
  return new Set(names.filter((name) => name !== undefined));
}

/** The parameters of the driver's calls, even after the class and the deployment's own settings have changed. */
export function parametersOf({ spec, status }: BucketContent, driver: SweepableDriver): Parameters {
  return driver.settleParameters(status?.settledParameters ?? spec.parameters ?? {});
}
