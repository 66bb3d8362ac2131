import { confirmationAnnotation, isConfirmedFor, isWrittenSince } from '../../kubernetes/namespace-consent.ts';
import type { Namespace } from '../../kubernetes/objects.ts';
import type { Bucket, BucketClass } from './objects.ts';
import { matchesAny } from './patterns.ts';

/**
 * On a class: the namespaces whose Buckets may be of it, as patterns with commas between them; all, without it. No RBAC can
 * keep anybody from naming a class, and a class that stands for a bucket with data in it is not for everybody.
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
 * Whether the class gives data to this one namespace. Its name may be somebody else's by now: a namespace is deleted and made
 * anew in seconds. A pattern means whoever has such a name, and a class for new buckets gives nothing that was there.
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
