import { hash, randomBytes } from 'node:crypto';

/**
 * The trace that one change began, in the terms of W3C Trace Context: the same from the forwarder to every call that is made
 * because of it, also when its message is delivered again.
 */
export interface ChangeTrace {
  /** 32 hexadecimal digits. */
  id: string;
  /** Two hexadecimal digits; the last bit says whether it is to be recorded. */
  flags: string;
}

/** The trace that a `traceparent` names, or one that follows from what else is always the same, such as a message's id. */
export function traceOf(traceparent: string | undefined, otherwise: string): ChangeTrace {
  const [, id, , flags] = traceparent?.split('-') ?? [];
  if (id !== undefined && flags !== undefined) return { id, flags };
  return { id: hash('sha256', otherwise).slice(0, 32), flags: '01' };
}

/** What a call says of the trace that it is part of. Each call is a span of its own. */
export function traceparentOf({ id, flags }: ChangeTrace): string {
  return `00-${id}-${newSpanId()}-${flags}`;
}

/** An id of only zeros would be none. */
function newSpanId(): string {
  const span = randomBytes(8).toString('hex');
  return /^0+$/.test(span) ? newSpanId() : span;
}

/**
 * How an API server is told of it. The id of its audit entry it takes from whoever calls: made of trace and span it is
 * unique, as it should be, and begins with what is looked for.
 */
export function traceHeaders(traceparent: string): { traceparent: string; 'audit-id': string } {
  const [, trace, span] = traceparent.split('-');
  return { traceparent, 'audit-id': `${trace}-${span}` };
}
