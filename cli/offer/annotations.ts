import type { ObjectMeta } from '../../lib/kubernetes/objects.ts';

/** The annotations by which one claim is given to another, as <namespace>/<name> of the other one. */
export const offerAnnotation = 'transferRequest';
export const acceptAnnotation = 'transferAccept';
/** Longshore's mark: `pending` when the volume of an offered claim is safe. */
export const statusAnnotation = 'pvc.kubernetes.io/transfer-status';

const fence = 'longshore.dev/transfer-offer';

/** Longshore keeps the volume of such a claim when the claim is deleted. Either mark alone may be from a backup. */
export function isSafeToDelete({ metadata }: { metadata: Pick<ObjectMeta, 'annotations' | 'finalizers'> }): boolean {
  const { annotations = {}, finalizers = [] } = metadata;
  const isOffered = (annotations[offerAnnotation] ?? '') !== '';
  return isOffered && annotations[statusAnnotation] === 'pending' && finalizers.includes(fence);
}
