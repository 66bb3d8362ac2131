import type { Clock } from '../runtime/clock.ts';
import { BatchingWindow } from './batching-window.ts';
import { type DepthOf, LaneSender, maxCallsInFlight, refusalsAt, type SendBatch } from './lane-sender.ts';
import { type Entry, LatestLane } from './latest-lane.ts';
import { buildMessage } from './message.ts';
import type { OutgoingMessage } from './message-parts.ts';
import { Window, type WindowSizes } from './window.ts';

const pauses = { firstMs: 100, maxMs: 10_000 };

/** Counters for the caller. */
export interface SendStats {
  sent: number;
  coalesced: number;
  retried: number;
  readonly inFlight: number;
}

export interface LatestSenderOptions {
  send: SendBatch;
  /** Without it, as much is sent as the queue accepts. */
  depthOf?: DepthOf | undefined;
  window?: WindowSizes | undefined;
  clock: Pick<Clock, 'elapsedMs' | 'pause'>;
  onFailure: (error: unknown) => void;
  maySend: () => boolean;
  isStopped: () => boolean;
  onTaken: (entry: Entry, message: OutgoingMessage) => void;
  /** Called on any progress. */
  onProgress: () => void;
  stats: SendStats;
}

/**
 * Sends the latest message of each key to one function's queue, repeatedly until it is accepted: in turns between
 * owners, and no more than is processed.
 */
export class LatestSender {
  readonly lane: LatestLane;
  private readonly window: Window | undefined;
  private readonly sender: LaneSender<Entry>;

  constructor(functionName: string, options: LatestSenderOptions) {
    const { clock, stats } = options;
    this.window = this.windowOn(functionName, options);
    this.lane = new LatestLane(clock, (owner) => this.window?.take(owner) ?? true);
    const batchingWindow = new BatchingWindow(clock, () => this.sender.send());
    this.sender = new LaneSender(this.lane, {
      ...options,
      offer: async (messages) => refusalsAt(await options.send(functionName, messages)),
      messageOf: ({ parts }) => buildMessage(parts),
      pause: (milliseconds) => clock.pause(milliseconds),
      pauses,
      maxCalls: maxCallsInFlight,
      gathering: { isOn: () => batchingWindow.isOn, begin: () => batchingWindow.begin() },
      onTaken: (entry, message) => {
        stats.sent += 1;
        this.window?.sent(1);
        options.onTaken(entry, message);
      },
      onRefused: () => {
        stats.retried += 1;
        return 'rest';
      },
      onFailure: (error, messages) => {
        options.onFailure(error);
        stats.retried += messages;
      },
    });
  }

  get inFlight(): number {
    return this.sender.inFlight;
  }

  /** The number of entries that only wait for a call, now or in a moment. */
  get readyCount(): number {
    if (this.sender.isResting) return 0;
    return this.lane.readyCount + (this.window?.isFull ? 0 : this.lane.heldCount);
  }

  /** The number of keys that wait until more of their owners' messages have been processed. */
  get heldCount(): number {
    return this.window?.isFull ? this.lane.heldCount : 0;
  }

  soon(): void {
    this.sender.soon();
  }

  private windowOn(name: string, options: LatestSenderOptions): Window | undefined {
    const { depthOf, window, clock, isStopped, onProgress } = options;
    if (!depthOf) return undefined;
    const onOpened = () => {
      if (isStopped()) return;
      this.lane.release();
      this.sender.send();
      onProgress();
    };
    return new Window({ ...window, depth: () => depthOf(name), clock, onOpened });
  }
}
