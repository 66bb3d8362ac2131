/** The annotations by which one claim is given to another, as <namespace>/<name> of the other one. */
export const offerAnnotation = 'transferRequest';
export const acceptAnnotation = 'transferAccept';
/** Longshore's mark: `pending` when the volume of an offered claim is safe. */
export const statusAnnotation = 'pvc.kubernetes.io/transfer-status';
