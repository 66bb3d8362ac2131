/** The number of messages of one function and kind, and the original times of the first and the last of them. */
export interface Count {
  function: string;
  kind: string;
  messages: number;
  first: string;
  last: string;
}

/** The unreadable part of a segment: everything after this many lines. */
export interface Damage {
  segment: string;
  linesRead: number;
  reason: string;
}

export interface NoQueue {
  function: string;
  messages: number;
}

export interface Refused {
  function: string;
  /** SQS's code. */
  code: string;
  messages: number;
}

/** The outcomes of the messages in a time range. Each is counted once, in one of these. */
export interface Summary {
  /** Put onto their queues, or in a dry run, to be put there. */
  replayed: Count[];
  /** Not selected by the filter, or about another cluster than the one of the archive. */
  others: number;
  /** Of a key that has had its message, if one is sufficient. */
  repeated: number;
  /** For functions that the deployment does not have. */
  noQueue: NoQueue[];
  /** Never accepted by their queues. */
  refused: Refused[];
  damaged: Damage[];
  /** The number of further damaged segments that are not named. */
  moreDamaged: number;
}

export const emptySummary: Summary = {
  replayed: [],
  others: 0,
  repeated: 0,
  noQueue: [],
  refused: [],
  damaged: [],
  moreDamaged: 0,
};

export function replayedIn({ replayed }: Pick<Summary, 'replayed'>): number {
  return sumOf(replayed);
}

export function readIn({ replayed, others, repeated, noQueue, refused }: Summary): number {
  return sumOf(replayed) + others + repeated + sumOf(noQueue) + sumOf(refused);
}

function sumOf(counts: readonly { messages: number }[]): number {
  return counts.reduce((total, { messages }) => total + messages, 0);
}
