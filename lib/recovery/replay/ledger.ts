import { Fifo } from '../../queue/fifo.ts';
import { OutcomeCounter } from './outcome-counter.ts';
import type { Position } from './position.ts';
import { emptySummary, type Summary } from './summary.ts';

/** At most this many messages are read after the first unsettled one: no more are sent or counted twice. */
const maxAhead = 20_000;

/** Counts the outcome of a message. */
export type Counting = (counter: OutcomeCounter) => void;

/** The position up to which everything is settled, and the outcomes up to there. */
export interface Settled {
  position: Position | undefined;
  summary: Summary;
}

interface Entry {
  /** Undefined for a body that is not a message. */
  position: Position | undefined;
  /** Undefined until it is settled. */
  counting: Counting | undefined;
}

/**
 * The outcomes of messages that are settled in any order. Each is counted at once for display, and in the order of
 * reading for a resumed run: the stored summary counts nothing after its position.
 */
export class Ledger {
  /** The outcomes until now. */
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

  /** True if nothing more may be read until something is settled. */
  get isFull(): boolean {
    return this.entries.size >= maxAhead;
  }

  /** Counts something that was read and has a known outcome; to be called, like `begin`, in the order of reading. */
  count(position: Position | undefined, counting: Counting): void {
    this.begin(position)(counting);
  }

  /** Notes something that was read. Returns the function to call when it is settled. */
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
