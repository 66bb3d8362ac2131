/** A segment is closed when it has so many bytes of lines, before they are compressed. */
export const segmentBytes = 1024 * 1024;
/** It is closed so long after its first line, if nothing is being written then. */
export const segmentMs = 5_000;
/**
 * While the store does not answer, a segment stays open for longer, so that an outage makes few segments instead of one
 * every five seconds. Whoever looks for a message looks at segments that begin up to so long before it.
 */
export const maxSpanMs = 60_000;
