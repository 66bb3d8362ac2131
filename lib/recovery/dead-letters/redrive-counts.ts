import type { Receipt } from './dead-letter.ts';

/** Whether a dead letter is moved, or why not. */
export type Choice = 'move' | 'finished' | 'unprocessable' | 'deletion' | 'behind a deletion' | 'not selected';

/** What happened to the dead letters of one queue. */
export interface RedriveCounts {
  moved: number;
  left: Record<Exclude<Choice, 'move'>, number>;
  /** Moved by this run, failed again since, and now left. */
  back: number;
  /** Not accepted by the function's queue: they stay where they were, as do those behind them in their groups. */
  refused: { deadLetter: Receipt; problem: string }[];
  behindRefused: number;
  /** Accepted by the queue, but not deleted here: another redrive would send them again. */
  twice: Receipt[];
  /** Not moved, so that they do not overtake those. */
  behindTwice: number;
  /** Reached so late that another command might have received them, and not received again. */
  late: number;
  /** Not reached. */
  beyond: number;
  /** Not reached, because another command holds them. */
  elsewhere: number;
}

export function emptyCounts(): RedriveCounts {
  const left = { finished: 0, unprocessable: 0, deletion: 0, 'behind a deletion': 0, 'not selected': 0 };
  const inGroups = { refused: [], behindRefused: 0, twice: [], behindTwice: 0 };
  return { moved: 0, left, back: 0, ...inGroups, late: 0, beyond: 0, elsewhere: 0 };
}
