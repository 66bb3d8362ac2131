/** A segment is closed at this many bytes of lines, before compression. */
export const maxSegmentBytes = 1024 * 1024;
/** It is closed this long after its first line, if no other segment is being written then. */
export const maxOpenMs = 5_000;
/**
 * While the store does not answer, a segment stays open longer, so that an outage makes few segments instead of one every
 * five seconds. A message can be in a segment that begins up to this long before it.
 */
export const maxSpanMs = 60_000;
