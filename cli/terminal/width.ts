/** Where no terminal is, as in a pipe, lines are as long as they are. */
export function outputWidth(stream: { isTTY?: boolean; columns?: number }): number {
  return stream.isTTY ? (stream.columns ?? 80) : 120;
}
