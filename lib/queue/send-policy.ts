import type { OutgoingMessage } from './message-parts.ts';
import type { Refusal } from './sqs/answer.ts';

export interface Sendable {
  /** The number of refusals in a row by its queue. */
  refusals: number;
}

/**
 * The entries for one queue, in the order in which they are sent. Of each key, or group, one entry is taken at a time.
 */
export interface Lane<Entry> {
  /** The number of entries that could be taken now. */
  readonly readyCount: number;
  take(most: number): Entry[];
  /** It was taken, and is kept back until it is put back. */
  rest?(entry: Entry): void;
  /** They are taken again, before all others. */
  putBack(entries: readonly Entry[]): void;
  /** It is settled, and the entry behind it may be taken. */
  finish(entry: Entry): void;
}

/** The differences between senders. */
export interface SendPolicy<Entry> {
  offer: (messages: OutgoingMessage[]) => Promise<Refusal[]>;
  messageOf: (entry: Entry) => OutgoingMessage;
  /** Ends early when sending is to end. */
  pause: (milliseconds: number) => Promise<void>;
  pauses: { firstMs: number; maxMs: number };
  maxCalls: number;
  isStopped: () => boolean;
  /** Checked right before each call: a sender that may not send now may be allowed a moment later. */
  maySend?: () => boolean;
  /** Decides if a call that is not full waits for more messages. */
  gathering?: Gathering;
  /** Resolves to the number of messages, up to this many, that may be sent now; to zero when sending is to end. */
  pace?: ((most: number) => Promise<number>) | undefined;
  onTaken: (entry: Entry, message: OutgoingMessage) => void;
  /** Returns if the entry is sent again after a pause of its own, is sent again at once, or is settled. */
  onRefused: (entry: Entry, refusal: Refusal) => 'rest' | 'again' | 'settled';
  /** True if a call of which nothing was accepted counts as failed. */
  mustTakeAny?: boolean;
  onFailure?: (error: unknown, messages: number) => void;
  /** Returns true to try again after this many failures in a row. Without it, always. */
  triesAgain?: (error: unknown, failures: number) => boolean;
  /** Called on any progress. */
  onProgress: () => void;
}

export interface Gathering {
  isOn: (calls: number) => boolean;
  /** A call that is not full begins. Returns the function to call when it is answered. */
  begin?: () => () => void;
}
