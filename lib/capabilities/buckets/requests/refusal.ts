import type { RefusalKind } from './reasons.ts';

/** An event's request is refused for good; the message says what to write instead. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly kind: RefusalKind;

  constructor(kind: RefusalKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
