import { setTimeout as timeout } from 'node:timers/promises';

/** Time, given to whatever waits or measures, so that a simulation can have its own. */
export interface Clock {
  /** The time of day, as others are told it. It may jump. */
  now(): Date;
  /** Milliseconds since some moment. They only go forward: for how long something lasts. */
  elapsedMs(): number;
  /** Resolves when so much time has passed, or at once when the signal aborts: it is never rejected. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** How long to pause after so many failures in a row: twice as long each time, up to the longest. */
export function pauseAfter(failures: number, { firstMs, maxMs }: { firstMs: number; maxMs: number }): number {
  return Math.min(maxMs, firstMs * 2 ** (failures - 1));
}

let latest = new Date();

export const realClock: Clock = {
  // Thousands may ask within one millisecond, and keep what they are told.
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
