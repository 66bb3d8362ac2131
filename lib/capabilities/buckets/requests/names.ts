/** What Kubernetes takes for a name, as the definitions of our kinds say it too. */
export const legalObjectName = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
export const legalNamespace = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Who made a Bucket for an event: the event's source, and the account that it came from. */
export const sourceAnnotation = 'longshore.dev/requested-by';
export const accountAnnotation = 'longshore.dev/requested-from';
/** When the event happened: one about an earlier Bucket of the name does not concern this one. */
export const timeAnnotation = 'longshore.dev/requested-at';
/** The event's id, by which its duplicates are known. */
export const requestAnnotation = 'longshore.dev/request';

/** The class that gives access to one bucket, named after the class that is its model. */
export function classNameFor(model: string, bucket: string): string {
  return `${model}-${bucket}`;
}

export function secretNameFor(bucketName: string): string {
  return `${bucketName}-credentials`;
}
