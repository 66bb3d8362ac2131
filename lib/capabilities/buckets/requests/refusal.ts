import type { RefusalKind } from './reasons.ts';

/** What an event asks for is not done, now or later; the message says what to write instead. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly kind: RefusalKind;

  constructor(kind: RefusalKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
