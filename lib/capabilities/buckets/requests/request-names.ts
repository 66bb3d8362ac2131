/** Valid names in Kubernetes, as in the CRDs. */
export const legalObjectName = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
export const legalNamespace = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** The origin of the event that a Bucket was created for: its source and its account. */
export const sourceAnnotation = 'longshore.dev/requested-by';
export const accountAnnotation = 'longshore.dev/requested-from';
/** The time of the event: an event about an earlier Bucket of the name does not concern this one. */
export const timeAnnotation = 'longshore.dev/requested-at';
/** The event's id, which identifies duplicates. */
export const requestAnnotation = 'longshore.dev/request';

/** The name of the class that gives access to one bucket, derived from its model class. */
export function classNameFor(model: string, bucket: string): string {
  return `${model}-${bucket}`;
}

export function secretNameFor(bucketName: string): string {
  return `${bucketName}-credentials`;
}
