import { confirmationAnnotation, isConfirmedFor, isWrittenSince } from '../../kubernetes/namespace-consent.ts';
import type { Namespace } from '../../kubernetes/objects.ts';
import type { Bucket, BucketClass } from './objects.ts';
import { matchesAny } from './patterns.ts';

/**
 * On a class: the namespaces whose Buckets may use it, as patterns separated by commas; all, if it is missing. RBAC
 * cannot restrict the use of a class, and a class for a bucket with data in it is not for everyone.
 */
export const namespacesAnnotation = 'longshore.dev/namespaces';

function patternsOf({ metadata }: BucketClass): string[] | undefined {
  return metadata.annotations?.[namespacesAnnotation]?.split(',').map((pattern) => pattern.trim());
}

export function appliesTo(bucketClass: BucketClass, bucket: Bucket): boolean {
  const patterns = patternsOf(bucketClass);
  return patterns === undefined || matchesAny(patterns, bucket.metadata.namespace ?? '');
}

/**
 * True if the class gives this one namespace access to data. The namespace's name may have passed to others: a
 * namespace is deleted and recreated in seconds. A pattern means any namespace of such a name, and a class for new
 * buckets gives no access to earlier data.
 */
export function isForOneNamespace(bucketClass: BucketClass, { metadata }: Bucket): boolean {
  const patterns = patternsOf(bucketClass);
  if (!patterns || !(bucketClass.bucketIdentifier || bucketClass.secretRef)) return false;
  return !matchesAny(
    patterns.filter((pattern) => pattern.includes('*')),
    metadata.namespace ?? '',
  );
}

/** True if it was created after this namespace, or has been confirmed for it. */
export function appliesToPresent(bucketClass: BucketClass, namespace: Namespace | undefined): boolean {
  if (!namespace) return false;
  return isConfirmedFor(bucketClass, namespace.metadata.uid) || isWrittenSince(bucketClass, namespace);
}

export function howToConfirm({ metadata }: Namespace): string {
  return `it was written before this namespace was created, so it was meant for an earlier namespace of that name. An administrator can confirm it with the annotation ${confirmationAnnotation}: ${metadata.uid}`;
}
