import type { ClusterObject } from './objects.ts';

export const formerAnnotation = 'volume.beta.kubernetes.io/storage-class';

/**
 * The class of a claim or a volume as the cluster determines it, quotas included: the annotation from before the field
 * existed, even an empty one, takes precedence over the field. A claim or volume without a class has the empty one.
 */
export function classOf({ metadata, spec }: ClusterObject & { spec: { storageClassName?: string } }): string {
  return metadata.annotations?.[formerAnnotation] ?? spec.storageClassName ?? '';
}
