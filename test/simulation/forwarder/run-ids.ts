import type { Clock } from '../../../lib/runtime/clock.ts';
import { createRouter } from './kinds.ts';

/** Nothing is told again before so long: until then it is what the list has found and nobody was told yet. */
const toldAgainAfterMs = 60_000;

/**
 * Run ids that tell why something is told again: `list` is news that a list has found, `first` the rest of what it found,
 * and `late` what is told again each minute. By its router each session is known to begin.
 */
export function runIdsOf(name: string, clock: Clock) {
  let count = 0;
  let isNew = false;
  let listedAtMs: number | undefined;
  return {
    createRouter: () => {
      isNew = true;
      return createRouter();
    },
    newRunId: () => {
      count += 1;
      if (isNew) {
        isNew = false;
        listedAtMs = clock.elapsedMs();
        return `list-${name}-${count}`;
      }
      const isFirst = listedAtMs !== undefined && clock.elapsedMs() - listedAtMs < toldAgainAfterMs;
      listedAtMs = undefined;
      return `${isFirst ? 'first' : 'late'}-${name}-${count}`;
    },
  };
}
