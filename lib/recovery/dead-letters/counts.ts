import type { Receipt } from './letter.ts';

/** Why a letter is left where it is, or that it is moved. */
export type Choice = 'move' | 'finished' | 'hopeless' | 'not selected';

/** What has become of the letters of one queue. */
export interface RedriveCounts {
  moved: number;
  left: Record<Exclude<Choice, 'move'>, number>;
  /** Moved by this very run, failed again meanwhile, and left now. */
  back: number;
  /** What the function's queue did not take: still where they were, with what is behind them in their groups. */
  refused: { letter: Receipt; problem: string }[];
  behindRefused: number;
  /** Taken by the queue, and not deleted here: they will be sent once more by whoever redrives them. */
  twice: Receipt[];
  /** Not moved, so that they do not come before those. */
  behindTwice: number;
  /** Their turn came when they might have been in somebody else's hands already, and they were not had again. */
  late: number;
  /** Not come to. */
  beyond: number;
  /** Not come to, because somebody else has them. */
  elsewhere: number;
}

export function emptyCounts(): RedriveCounts {
  const left = { finished: 0, hopeless: 0, 'not selected': 0 };
  const inGroups = { refused: [], behindRefused: 0, twice: [], behindTwice: 0 };
  return { moved: 0, left, back: 0, ...inGroups, late: 0, beyond: 0, elsewhere: 0 };
}
