import type { Clock } from '../runtime/clock.ts';

export interface Waiting {
  clock: Clock;
  /** When to give up, by `clock.elapsedMs()`. */
  deadlineMs: number;
  signal?: AbortSignal;
}

const pollMs = 200;

/** True as soon as the condition holds; false if it does not until the deadline, or until the signal aborts. */
export async function isInTime(
  { clock, deadlineMs, signal }: Waiting,
  condition: () => Promise<boolean>,
): Promise<boolean> {
  for (;;) {
    if (await condition()) return true;
    if (signal?.aborted || clock.elapsedMs() >= deadlineMs) return false;
    await clock.pause(pollMs, signal);
  }
}
