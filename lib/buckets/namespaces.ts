import type { Bucket, BucketClass } from './objects.ts';
import { matchesAny } from './patterns.ts';

/**
 * On a class: the namespaces whose Buckets may be of it, as patterns with commas between them; all, without it. No RBAC can
 * keep anybody from naming a class, and a class that stands for a bucket with data in it is not for everybody.
 */
export const namespacesAnnotation = 'longshore.dev/namespaces';

export function isMeantFor({ metadata }: BucketClass, bucket: Bucket): boolean {
  const patterns = metadata.annotations?.[namespacesAnnotation];
  if (patterns === undefined) return true;
  const names = patterns.split(',').map((pattern) => pattern.trim());
  return matchesAny(names, bucket.metadata.namespace ?? '');
}
