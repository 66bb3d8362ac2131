import type { OutgoingMessage } from './message.ts';

/** SQS takes no more messages in one call. */
const batchSize = 10;
const firstPauseMs = 100;
const longestPauseMs = 10_000;

/** Sends up to ten messages to one function's queue. Answers the positions of those that were not taken. */
export type SendBatch = (functionName: string, messages: OutgoingMessage[]) => Promise<number[]>;

export interface OutboxOptions {
  send: SendBatch;
  pause: (milliseconds: number) => Promise<void>;
  onFailure: (error: unknown) => void;
}

/**
 * What is to be sent, at most one message a key: a step reads the object as it is when it runs, so of several changes the
 * last message says it all. What a queue does not take stays here and is sent again.
 */
export class Outbox {
  private readonly waiting = new Map<string, Map<string, OutgoingMessage>>();
  private readonly options: OutboxOptions;
  private flushing: Promise<void> | undefined;
  private stopped = false;

  constructor(options: OutboxOptions) {
    this.options = options;
  }

  add(message: OutgoingMessage): void {
    const ofFunction = this.waiting.get(message.function) ?? new Map<string, OutgoingMessage>();
    this.waiting.set(message.function, ofFunction);
    ofFunction.set(message.groupId, message);
    this.flushing ??= this.flush();
  }

  get size(): number {
    return [...this.waiting.values()].reduce((total, messages) => total + messages.size, 0);
  }

  /** Resolves when everything that was added has been taken by its queue. */
  async drained(): Promise<void> {
    while (this.flushing) await this.flushing;
  }

  /** Gives up what no queue has taken; a list at the next start finds it again. */
  stop(): void {
    this.stopped = true;
  }

  private async flush(): Promise<void> {
    // Changes that arrive in one piece go out in one batch.
    await Promise.resolve();
    let pauseMs = firstPauseMs;
    while (this.size > 0 && !this.stopped) {
      const sent = await Promise.all([...this.waiting.keys()].map((name) => this.sendSome(name)));
      if (sent.every(Boolean)) {
        pauseMs = firstPauseMs;
        continue;
      }
      await this.options.pause(pauseMs);
      pauseMs = Math.min(longestPauseMs, pauseMs * 2);
    }
    // In the same breath as the loop's last look: what is added from now on starts a new flush.
    this.flushing = undefined;
  }

  private async sendSome(functionName: string): Promise<boolean> {
    const waiting = this.waiting.get(functionName);
    const batch = [...(waiting?.values() ?? [])].slice(0, batchSize);
    if (!waiting || batch.length === 0) return true;
    const failed = await this.trySend(functionName, batch);
    for (const [position, message] of batch.entries()) {
      // A newer message of the same key may have come in the meantime; that one is still to be sent.
      if (!failed.includes(position) && waiting.get(message.groupId) === message) waiting.delete(message.groupId);
    }
    return failed.length === 0;
  }

  private async trySend(functionName: string, batch: OutgoingMessage[]): Promise<number[]> {
    try {
      return await this.options.send(functionName, batch);
    } catch (error) {
      this.options.onFailure(error);
      return batch.map((_, position) => position);
    }
  }
}
