import type { ClusterObject } from './objects.ts';

/** Removing the last finalizer deletes such an object, and the server's response shows it for the last time. */
export function isGone({ metadata }: Pick<ClusterObject, 'metadata'>): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0;
}
