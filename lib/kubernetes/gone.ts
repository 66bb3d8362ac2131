import type { ClusterObject } from './objects.ts';

/** The last finalizer of what is deleted takes it away, and the server's answer is the last that is seen of it. */
export function isGone({ metadata }: Pick<ClusterObject, 'metadata'>): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0;
}
