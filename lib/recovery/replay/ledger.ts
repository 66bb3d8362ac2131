import { Fifo } from '../../queue/fifo.ts';
import { OutcomeCounter } from './outcome-counter.ts';
import type { Position } from './position.ts';
import { emptySummary, type Summary } from './summary.ts';

/** So many messages at most are read after the first one that is not settled: no more are sent or counted twice. */
const maxAhead = 20_000;

/** Counts what has become of a message. */
export type Counting = (counter: OutcomeCounter) => void;

/** How far everything is settled, and what had become of it all by there. */
export interface Settled {
  position: Position | undefined;
  summary: Summary;
}

interface Entry {
  /** Not given for what is no message. */
  position: Position | undefined;
  /** Not there before it is settled. */
  counting: Counting | undefined;
}

/**
 * What has become of messages that are settled in any order. Each is counted at once for whoever looks on, and in the order
 * in which they were read for whoever goes on: what is kept of a run counts nothing that comes after its position.
 */
export class Ledger {
  /** As of now. */
  readonly counter: OutcomeCounter;
  private readonly settledTally: OutcomeCounter;
  private settledPosition: Position | undefined;
  private readonly entries = new Fifo<Entry>();

  constructor({ position, summary }: Settled = { position: undefined, summary: emptySummary }) {
    this.counter = new OutcomeCounter(summary);
    this.settledTally = new OutcomeCounter(summary);
    this.settledPosition = position;
  }

  get settled(): Settled {
    return { position: this.settledPosition, summary: this.settledTally.summary };
  }

  get position(): Position | undefined {
    return this.settledPosition;
  }

  /** Nothing more is to be read before something is settled. */
  get isFull(): boolean {
    return this.entries.size >= maxAhead;
  }

  /** Something was read whose end is known already; to be called, like the next one, in the order of reading. */
  count(position: Position | undefined, counting: Counting): void {
    this.begin(position)(counting);
  }

  /** Something was read. Answers what is to be called when it is settled. */
  begin(position: Position | undefined): (counting: Counting) => void {
    const entry: Entry = { position, counting: undefined };
    this.entries.push(entry);
    return (counting) => {
      entry.counting = counting;
      counting(this.counter);
      this.settle();
    };
  }

  private settle(): void {
    for (let entry = this.entries.first; entry?.counting; entry = this.entries.first) {
      entry.counting(this.settledTally);
      this.settledPosition = entry.position ?? this.settledPosition;
      this.entries.shift();
    }
  }
}
