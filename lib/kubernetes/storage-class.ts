import type { ClusterObject } from './objects.ts';

export const formerAnnotation = 'volume.beta.kubernetes.io/storage-class';

/**
 * The class of a claim or a volume as the cluster takes it, quotas included: the annotation of the time before the field
 * still counts for more than the field, also an empty one. A claim or volume without a class has the empty one.
 */
export function classOf({ metadata, spec }: ClusterObject & { spec: { storageClassName?: string } }): string {
  return metadata.annotations?.[formerAnnotation] ?? spec.storageClassName ?? '';
}
