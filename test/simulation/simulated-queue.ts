import type { OutgoingMessage } from '../../lib/queue/message-parts.ts';
import type { Random } from './random.ts';

/** One delivery of a message. */
export interface Taken {
  readonly message: OutgoingMessage;
  /** How often it has been delivered, this time included. */
  readonly receives: number;
  /** Hides it until then, should this delivery fail. */
  postpone(untilMs: number): void;
  done(nowMs: number): void;
  failed(nowMs: number): void;
}

/** The queues of all functions, as a run sees them. */
export interface SimulatedQueue {
  /** What has failed until the end. */
  readonly deadLetters: readonly OutgoingMessage[];
  readonly delivered: readonly OutgoingMessage[];
  /** How many groups have messages. */
  readonly size: number;
  /** In front of others of its group, where a position is given and the queue can have that. */
  send(message: OutgoingMessage, position?: number): void;
  /** A message that can be delivered now, whichever. */
  take(nowMs: number, random: Random): Taken | undefined;
  /** All that it has is lost. */
  empty(): void;
  /** Throws a violation unless nothing has been forgotten. */
  checkEnd(): void;
}
