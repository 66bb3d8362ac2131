import { setTimeout as timeout } from 'node:timers/promises';

/** Time, as a dependency of all code that waits or measures, so that a simulation can have its own. */
export interface Clock {
  /** The wall clock. It may jump. */
  now(): Date;
  /** Monotonic milliseconds since some fixed time, for durations. */
  elapsedMs(): number;
  /** Resolves after this time, or at once when the signal aborts. Never rejects. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The pause after this many failures in a row: doubled each time, up to the maximum. */
export function pauseAfter(failures: number, { firstMs, maxMs }: { firstMs: number; maxMs: number }): number {
  return Math.min(maxMs, firstMs * 2 ** (failures - 1));
}

let latest = new Date();

export const realClock: Clock = {
  // Thousands may call it within one millisecond, and keep the result.
  now: () => {
    const now = Date.now();
    if (latest.getTime() !== now) latest = new Date(now);
    return latest;
  },
  elapsedMs: () => performance.now(),
  pause: async (milliseconds, signal) => {
    await timeout(milliseconds, undefined, signal ? { signal } : {}).catch(() => {});
  },
};
