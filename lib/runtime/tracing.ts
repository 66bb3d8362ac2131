import { hash, randomBytes } from 'node:crypto';

/**
 * The trace that one change began, as in W3C Trace Context: the same from the forwarder to every call that is made because of
 * it, also when its message is delivered again.
 */
export interface ChangeTrace {
  /** 32 hexadecimal digits. */
  id: string;
  /** Two hexadecimal digits; the last bit is the sampled flag. */
  flags: string;
}

/** The trace of a `traceparent`, or else one derived from a stable string such as a message's id. */
export function traceOf(traceparent: string | undefined, otherwise: string): ChangeTrace {
  const [, id, , flags] = traceparent?.split('-') ?? [];
  if (id !== undefined && flags !== undefined) return { id, flags };
  return { id: hash('sha256', otherwise).slice(0, 32), flags: '01' };
}

/** The `traceparent` of a call. Each call is a span of its own. */
export function traceparentOf({ id, flags }: ChangeTrace): string {
  return `00-${id}-${newSpanId()}-${flags}`;
}

/** An id of only zeros is invalid. */
function newSpanId(): string {
  const span = randomBytes(8).toString('hex');
  return /^0+$/.test(span) ? newSpanId() : span;
}

/**
 * The headers for an API server. It takes the id of its audit entry from the caller: made of trace and span it is unique, as
 * required, and begins with the trace that one searches for.
 */
export function traceHeaders(traceparent: string): { traceparent: string; 'audit-id': string } {
  const [, trace, span] = traceparent.split('-');
  return { traceparent, 'audit-id': `${trace}-${span}` };
}
