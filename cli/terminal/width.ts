/** How wide lines may be: on a terminal as wide as it is, and in a pipe as long as they are. */
export function lineWidth(stream: { isTTY?: boolean; columns?: number }): number {
  return stream.isTTY ? (stream.columns ?? 80) : Number.POSITIVE_INFINITY;
}

/** Help is read by people, who have no use for endless lines, in a pipe either. */
export function helpWidth(stream: { isTTY?: boolean; columns?: number }): number {
  return Math.min(lineWidth(stream), 120);
}
