import { type Clock, realClock } from '../../lib/runtime/clock.ts';

const speed = 100;
const startedAt = Date.now();

/** For what runs against parts that answer at once: its pauses would only be waited for. */
export const hurriedClock: Clock = {
  now: () => new Date(startedAt + (Date.now() - startedAt) * speed),
  elapsedMs: () => performance.now() * speed,
  pause: (milliseconds, signal) => realClock.pause(milliseconds / speed, signal),
};
