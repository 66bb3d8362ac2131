/**
 * Why an event is refused; each is a dimension of a metric, so they are few.
 *
 * Malformed      the event is not as docs/bucket-requests.md says
 * NotAllowed     the deployment's configuration does not allow it
 * Conflict       there is a Bucket or a class of that name, which is another's or another kind of thing
 * ClassUnfit     the class that an adoption names cannot give access to the bucket
 * Rejected       the API server will not have it
 * GivenUp        it failed at each delivery
 */
export type RefusalKind = 'Malformed' | 'NotAllowed' | 'Conflict' | 'ClassUnfit' | 'Rejected' | 'GivenUp';

/** What an event asks for is not done, now or later; the message says what to write instead. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly kind: RefusalKind;

  constructor(kind: RefusalKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
