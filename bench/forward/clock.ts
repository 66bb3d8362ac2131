/**
 * Milliseconds of the machine's monotonic clock. On Linux all processes share it, and unlike the time of day it is
 * never set during a measurement.
 */
export function nowMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1e6;
}
