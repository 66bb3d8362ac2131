/**
 * Milliseconds of the machine's monotonic clock. On Linux it is one clock for all processes, and unlike the time of day
 * nobody sets it while something is measured.
 */
export function nowMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1e6;
}
