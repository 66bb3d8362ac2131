/**
 * Why an event is refused. Used as a metric dimension: a small closed set.
 *
 * Malformed      the event does not match docs/bucket-requests.md
 * NotAllowed     the deployment's configuration does not allow it
 * Conflict       a Bucket or a class of that name exists, of another owner or with other contents
 * ClassUnfit     the class that an adoption names cannot give access to the bucket
 * Rejected       the API server rejects it
 * GivenUp        it failed at every delivery
 */
export type RefusalKind = 'Malformed' | 'NotAllowed' | 'Conflict' | 'ClassUnfit' | 'Rejected' | 'GivenUp';

/** An event's request is refused for good; the message says what to write instead. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly kind: RefusalKind;

  constructor(kind: RefusalKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
