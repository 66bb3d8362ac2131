import { setTimeout as pause } from 'node:timers/promises';
import { patient } from '../../tools/processes/patience.ts';

export { patient };

/** For whatever a test waits for, unless it has a reason for a limit of its own. */
export const defaultWaitMs = patient(300_000);

export interface Waiting {
  /** Scaled as all other limits are. */
  limitMs?: number;
  pollMs?: number;
  /** What there is instead, for the error. */
  found?: () => unknown;
}

/** Resolves as soon as the condition is met, and throws what was awaited when the limit is over. */
export async function until(
  awaited: string,
  condition: () => boolean | Promise<boolean>,
  { limitMs, pollMs = 50, found }: Waiting = {},
): Promise<void> {
  const waitMs = limitMs === undefined ? defaultWaitMs : patient(limitMs);
  const deadline = performance.now() + waitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) {
      const instead = found ? `: ${described(await found())}` : '';
      throw new Error(`not within ${waitMs / 1_000} s: ${awaited}${instead}`);
    }
    await pause(pollMs);
  }
}

function described(found: unknown): string {
  return typeof found === 'string' ? found : JSON.stringify(found);
}
