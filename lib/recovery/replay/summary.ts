/** How many messages of one function and kind, and the times at which the first and the last of them had been sent. */
export interface Count {
  function: string;
  kind: string;
  messages: number;
  first: string;
  last: string;
}

/** What of a segment could not be read: all that comes after so many lines. */
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
  /** What SQS calls it. */
  code: string;
  messages: number;
}

/** What has become of the messages of a range of time. Whatever was read is counted once, in one of these. */
export interface Summary {
  /** Put onto their queues, or in a dry run what would be. */
  replayed: Count[];
  /** Not meant by the filter, or about another cluster than the one in whose archive they are. */
  others: number;
  /** Of a key that has had its message, where one of each is enough. */
  repeated: number;
  /** For functions that the deployment does not have. */
  noQueue: NoQueue[];
  /** Such as their queues never take. */
  refused: Refused[];
  damaged: Damage[];
  /** How many more segments were damaged than are named. */
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
