import type { Parameters } from '../drivers/driver.ts';
import type { SweepingDriver } from '../drivers/owned.ts';
import type { BucketClass, BucketContent } from '../objects.ts';

/** What of a cluster tells which stores there are, and who has something in them. */
export interface ClusterView {
  cluster: string;
  contents: readonly BucketContent[];
  classes: readonly BucketClass[];
}

export interface Views {
  read: readonly ClusterView[];
  /** The names of the clusters that could not be read: what is theirs is not known. */
  unread: readonly string[];
}

/** A content and where it is. */
export interface PlacedContent {
  cluster: string;
  content: BucketContent;
}

/** The same for the same content, in whichever reading. */
export function placeOf({ cluster, content }: PlacedContent): string {
  return `${cluster}/${content.metadata.name}`;
}

/** The key of the store that the Secret of each content holds, by its place; none of what is not known. */
export type Held = ReadonlyMap<string, string | undefined>;

export function contentsIn({ read }: Views): PlacedContent[] {
  return read.flatMap(({ cluster, contents }) => contents.map((content) => ({ cluster, content })));
}

/** Whether a consumer has been told that its bucket and credentials are there, and is not about to lose them. */
export function isServed({ metadata, status }: BucketContent): boolean {
  return metadata.deletionTimestamp === undefined && (status?.phase === 'Ready' || status?.phase === 'Bound');
}

/**
 * On one cluster two deployments may serve drivers of the same name. What the other one has begun is below its own path,
 * where we may not even look, so we promise nothing for it.
 */
export function isOurs({ status }: BucketContent, identity: string): boolean {
  return (status?.startedBy ?? identity) === identity;
}

/**
 * The names of the buckets that some object means, whoever had them made: a bucket outlives its first owner when it is
 * retained, and others use it by its name from then on. Stores are not told apart: in doubt a bucket is kept.
 */
export function claimedBuckets({ read }: Views): ReadonlySet<string> {
  const names = read.flatMap(({ contents, classes }) => [
    ...contents.map(({ spec }) => spec.bucketIdentifier),
    ...classes.map(({ bucketIdentifier }) => bucketIdentifier),
  ]);
  return new Set(names.filter((name) => name !== undefined));
}

/** What the driver was called with, also after the class and the deployment's own settings have changed. */
export function parametersOf({ spec, status }: BucketContent, driver: SweepingDriver): Parameters {
  return driver.settle(status?.settledParameters ?? spec.parameters ?? {});
}
