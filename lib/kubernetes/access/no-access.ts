import { redactedMessageOf } from '../../runtime/redaction.ts';

/** The cluster cannot be accessed: no credentials, or none that can be used. The message contains no credentials. */
export class NoAccess extends Error {
  constructor(cause: unknown) {
    super(redactedMessageOf(cause));
    this.name = 'NoAccess';
  }
}
