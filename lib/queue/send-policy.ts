import type { OutgoingMessage } from './message-parts.ts';
import type { Refusal } from './sqs/answer.ts';

export interface Sendable {
  /** How often in a row its queue has refused it. */
  refusals: number;
}

/** What waits for one queue, in the order in which it is sent. Of each key, or group, one entry is taken at a time. */
export interface Lane<Entry> {
  /** How many could be taken now. */
  readonly readyCount: number;
  take(most: number): Entry[];
  /** It was taken, and is kept back until it is put back. */
  rest?(entry: Entry): void;
  /** They are taken again, before all others. */
  putBack(entries: readonly Entry[]): void;
  /** It is settled, and what waits behind it may be taken. */
  finish(entry: Entry): void;
}

/** What senders differ in. */
export interface SendPolicy<Entry> {
  offer: (messages: OutgoingMessage[]) => Promise<Refusal[]>;
  messageOf: (entry: Entry) => OutgoingMessage;
  /** Ends early when sending is to end. */
  pause: (milliseconds: number) => Promise<void>;
  pauses: { firstMs: number; maxMs: number };
  maxCalls: number;
  isStopped: () => boolean;
  /** Asked right before each call: whoever may not send now may send again in a moment. */
  maySend?: () => boolean;
  /** When a call that is not full waits for more messages. */
  gathering?: Gathering;
  /** Resolves to how many of so many may go now; to none when sending is to end. */
  pace?: ((most: number) => Promise<number>) | undefined;
  onTaken: (entry: Entry, message: OutgoingMessage) => void;
  /** Whether the entry comes again after a pause of its own, comes again at once, or is settled. */
  onRefused: (entry: Entry, refusal: Refusal) => 'rest' | 'again' | 'settled';
  /** Whether a call of which nothing was taken counts as one that has failed. */
  mustTakeAny?: boolean;
  onFailure?: (error: unknown, messages: number) => void;
  /** Whether to try again after so many failures in a row. Without it, for ever. */
  triesAgain?: (error: unknown, failures: number) => boolean;
  /** Something has moved. */
  onProgress: () => void;
}

export interface Gathering {
  isOn: (calls: number) => boolean;
  /** A call that is not full begins. Returns the function to call when it is answered. */
  begin?: () => () => void;
}
