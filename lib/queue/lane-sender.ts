import { pauseAfter } from '../runtime/clock.ts';
import type { OutgoingMessage } from './message-parts.ts';
import type { Lane, Sendable, SendPolicy } from './send-policy.ts';
import type { Refusal } from './sqs/answer.ts';
import { maxMessagesPerCall } from './sqs/limits.ts';

export const maxCallsInFlight = 32;
const askAgainMs = 250;

/** Sends up to ten messages to one function's queue. Returns the positions of those that were not accepted. */
export type SendBatch = (functionName: string, messages: OutgoingMessage[]) => Promise<number[]>;

/** Returns the number of messages that wait on one function's queue, without those in progress. */
export type DepthOf = (functionName: string) => Promise<number>;

/** Sends the messages for one queue: several calls at a time, with a back-off when the queue does not accept them. */
export class LaneSender<Entry extends Sendable> {
  calls = 0;
  /** The number of messages in flight, or whose response is being processed. */
  inFlight = 0;
  isResting = false;
  /** Nothing more is sent. */
  hasGivenUp = false;
  private readonly lane: Lane<Entry>;
  private readonly policy: SendPolicy<Entry>;
  private failures = 0;
  private isDue = false;
  private isPacing = false;

  constructor(lane: Lane<Entry>, policy: SendPolicy<Entry>) {
    this.lane = lane;
    this.policy = policy;
  }

  /** Messages that arrive together are sent in one call: `defer` runs once all of them are there. */
  soon(defer: (send: () => void) => void = queueMicrotask): void {
    if (this.isDue) return;
    this.isDue = true;
    defer(() => {
      this.isDue = false;
      this.send();
    });
  }

  send(): void {
    while (this.canCall) {
      const { maySend, pace } = this.policy;
      if (maySend && !maySend()) {
        this.rest(askAgainMs);
      } else if (pace) {
        void this.sendAtPace(pace);
      } else {
        this.begin(this.lane.take(maxMessagesPerCall));
      }
    }
  }

  private get canCall(): boolean {
    const { gathering, maxCalls, isStopped } = this.policy;
    if (this.isResting || this.isPacing || this.hasGivenUp || this.calls >= maxCalls || isStopped()) return false;
    return this.lane.readyCount >= (gathering?.isOn(this.calls) ? maxMessagesPerCall : 1);
  }

  private async sendAtPace(pace: (most: number) => Promise<number>): Promise<void> {
    this.isPacing = true;
    const most = await pace(Math.min(maxMessagesPerCall, this.lane.readyCount));
    this.isPacing = false;
    if (!this.isResting && !this.policy.isStopped()) this.begin(this.lane.take(most));
    this.send();
  }

  private begin(batch: Entry[]): void {
    if (batch.length === 0) return;
    const answered = batch.length < maxMessagesPerCall ? this.policy.gathering?.begin?.() : undefined;
    this.calls += 1;
    void this.call(batch).then(() => {
      this.calls -= 1;
      answered?.();
      this.send();
      this.policy.onProgress();
    });
  }

  private async call(batch: Entry[]): Promise<void> {
    const { offer, messageOf, onFailure, mustTakeAny } = this.policy;
    this.inFlight += batch.length;
    try {
      const messages = batch.map(messageOf);
      const refusals = await offer(messages);
      this.settle(batch, messages, refusals);
      if (mustTakeAny && refusals.length === batch.length) this.fail(undefined);
      else this.failures = 0;
    } catch (error) {
      onFailure?.(error, batch.length);
      this.lane.putBack(batch);
      this.fail(error);
    } finally {
      this.inFlight -= batch.length;
    }
  }

  /** Settled messages are reported before the next one of their group is sent, which may become unnecessary by that. */
  private settle(batch: Entry[], messages: OutgoingMessage[], refusals: Refusal[]): void {
    const refused = new Map(refusals.map((refusal) => [refusal.position, refusal]));
    for (const [position, entry] of batch.entries()) {
      const refusal = refused.get(position);
      if (refusal) {
        this.refuse(entry, refusal);
      } else {
        this.policy.onTaken(entry, messages[position] as OutgoingMessage);
        this.lane.finish(entry);
      }
    }
  }

  /** One refused message must not delay the others, nor be offered again in quick succession. */
  private refuse(entry: Entry, refusal: Refusal): void {
    const { pause, pauses, onRefused } = this.policy;
    entry.refusals += 1;
    const next = onRefused(entry, refusal);
    if (next === 'settled') {
      this.lane.finish(entry);
    } else if (next === 'again') {
      this.lane.putBack([entry]);
    } else {
      this.lane.rest?.(entry);
      void pause(pauseAfter(entry.refusals, pauses)).then(() => {
        this.lane.putBack([entry]);
        this.send();
      });
    }
  }

  /** Several calls that fail together count as one failure. */
  private fail(error: unknown): void {
    if (this.isResting) return;
    this.failures += 1;
    if (this.policy.triesAgain?.(error, this.failures) ?? true)
      this.rest(pauseAfter(this.failures, this.policy.pauses));
    else this.hasGivenUp = true;
  }

  /** A queue that is unavailable, or throttles, gets no calls for a while. */
  private rest(milliseconds: number): void {
    this.isResting = true;
    this.policy.onProgress();
    void this.policy.pause(milliseconds).then(() => {
      this.isResting = false;
      this.send();
    });
  }
}

/** The refusals of a call whose sender reports no reasons. */
export function refusalsAt(positions: number[]): Refusal[] {
  return positions.map((position) => ({ position, code: 'Unknown', senderFault: false }));
}
