import { messageOf } from '../../runtime/redaction.ts';

/** There is no way into the cluster: no credentials, or none that can be used. Whoever logs it finds none in it. */
export class NoAccess extends Error {
  constructor(cause: unknown) {
    super(messageOf(cause));
    this.name = 'NoAccess';
  }
}
