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

export const realClock: Clock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
  pause: async (milliseconds, signal) => {
    await timeout(milliseconds, undefined, signal ? { signal } : {}).catch(() => {});
  },
};
