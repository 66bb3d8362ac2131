import { type Clock, pauseAfter } from '../runtime/clock.ts';
import { BatchingWindow } from './batching-window.ts';
import { type Entry, Lane } from './lane.ts';
import { buildMessage } from './message.ts';
import type { OutgoingMessage } from './message-parts.ts';
import { Window, type WindowSizes } from './window.ts';

/** SQS takes no more messages in one call. */
const batchSize = 10;
const maxCallsInFlight = 32;
const askAgainMs = 250;
const pauses = { firstMs: 100, maxMs: 10_000 };

/** Sends up to ten messages to one function's queue. Returns the positions of those that were not accepted. */
export type SendBatch = (functionName: string, messages: OutgoingMessage[]) => Promise<number[]>;

/** How many messages wait on one function's queue, and are not being worked on. */
export type DepthOf = (functionName: string) => Promise<number>;

/** What happens is counted, for whoever runs it. */
export interface SendStats {
  sent: number;
  coalesced: number;
  retried: number;
  inFlight: number;
}

export interface SenderOptions {
  send: SendBatch;
  /** Without it as much is sent as the queue takes. */
  depthOf?: DepthOf | undefined;
  window?: WindowSizes | undefined;
  clock: Pick<Clock, 'elapsedMs' | 'pause'>;
  onFailure: (error: unknown) => void;
  /** Asked right before each call: a forwarder that is not leading now may lead again in a moment. */
  maySend: () => boolean;
  isStopped: () => boolean;
  onTaken: (entry: Entry, message: OutgoingMessage) => void;
  /** Something has moved. */
  onProgress: () => void;
  stats: SendStats;
}

/** Sends the messages of one function's lane: several calls at a time, with a back-off when the queue does not accept them. */
export class LaneSender {
  readonly lane = new Lane();
  private readonly functionName: string;
  private readonly options: SenderOptions;
  private calls = 0;
  private readonly batchingWindow: BatchingWindow;
  private readonly window: Window | undefined;
  private readonly mayTake: (owner: string) => boolean;
  private failures = 0;
  private isResting = false;
  private isDue = false;

  constructor(functionName: string, options: SenderOptions) {
    this.functionName = functionName;
    this.options = options;
    this.batchingWindow = new BatchingWindow(options.clock, () => this.send());
    this.window = this.windowOn(options);
    this.mayTake = (owner) => this.window?.take(owner) ?? true;
  }

  /** How many only wait for a call that may take them, now or in a moment. */
  get readyCount(): number {
    if (this.isResting) return 0;
    return this.lane.readyCount + (this.window?.isFull ? 0 : this.lane.heldCount);
  }

  /** The number of keys that wait until more of their owners' messages have been processed. */
  get heldCount(): number {
    return this.window?.isFull ? this.lane.heldCount : 0;
  }

  /** Changes that arrive in one piece go out in one call. */
  soon(): void {
    if (this.isDue) return;
    this.isDue = true;
    queueMicrotask(() => {
      this.isDue = false;
      this.send();
    });
  }

  private send(): void {
    while (!this.isResting && !this.options.isStopped()) {
      const least = this.batchingWindow.isOn ? batchSize : 1;
      if (this.calls >= maxCallsInFlight || this.lane.readyCount < least) return;
      if (!this.options.maySend()) {
        this.rest(askAgainMs);
        return;
      }
      const batch = this.lane.take(batchSize, this.mayTake);
      // Owners that may not send now have been held.
      if (batch.length > 0) this.begin(batch);
    }
  }

  private windowOn({ depthOf, window, clock, isStopped, onProgress }: SenderOptions): Window | undefined {
    if (!depthOf) return undefined;
    const onOpened = () => {
      if (isStopped()) return;
      this.lane.release();
      this.send();
      onProgress();
    };
    return new Window({ ...window, depth: () => depthOf(this.functionName), clock, onOpened });
  }

  private begin(batch: Entry[]): void {
    const answered = batch.length < batchSize ? this.batchingWindow.begin() : undefined;
    this.calls += 1;
    void this.call(batch).then(() => {
      this.calls -= 1;
      answered?.();
      this.send();
      this.options.onProgress();
    });
  }

  /** A queue that is unavailable, or throttles, is left alone for a while. */
  private rest(milliseconds: number): void {
    this.isResting = true;
    this.options.onProgress();
    void this.options.clock.pause(milliseconds).then(() => {
      this.isResting = false;
      this.send();
    });
  }

  private async call(batch: Entry[]): Promise<void> {
    const { send, stats, onFailure, onTaken, clock } = this.options;
    stats.inFlight += batch.length;
    try {
      const messages = batch.map(({ parts }) => buildMessage(parts));
      const refused = await send(this.functionName, messages);
      this.failures = 0;
      for (const [position, entry] of batch.entries()) {
        if (refused.includes(position)) {
          this.refuse(entry);
        } else {
          stats.sent += 1;
          this.window?.sent(1);
          this.lane.finish(entry, clock.elapsedMs());
          onTaken(entry, messages[position] as OutgoingMessage);
        }
      }
    } catch (error) {
      onFailure(error);
      stats.retried += batch.length;
      this.lane.putBack(batch);
      this.fail();
    } finally {
      stats.inFlight -= batch.length;
    }
  }

  /** Of several calls that fail together, one counts. */
  private fail(): void {
    if (this.isResting) return;
    this.failures += 1;
    this.rest(pauseAfter(this.failures, pauses));
  }

  /** One message that is refused must not keep the others waiting, nor be asked for again and again. */
  private refuse(entry: Entry): void {
    this.options.stats.retried += 1;
    entry.state = 'resting';
    entry.refusals += 1;
    void this.options.clock.pause(pauseAfter(entry.refusals, pauses)).then(() => {
      this.lane.putBack([entry]);
      this.send();
    });
  }
}
