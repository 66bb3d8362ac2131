import { setTimeout as pause } from 'node:timers/promises';
import type { ClaimEvent } from './claim-events.ts';

const pauseAfterFailureMs = 1_000;
/** Above this number, the entries of sent events are removed. */
const maxTaken = 1_024;

/**
 * The events that are not sent yet, in order. One call is in flight at a time, and starts as soon as there is an event.
 */
export class PendingEvents {
  private readonly send: (events: ClaimEvent[]) => Promise<ClaimEvent[]>;
  private readonly atOnce: number;
  private events: ClaimEvent[] = [];
  private position = 0;
  private isSending = false;

  /** The events that `send` returns were not accepted by the queue, and are sent again before any later ones. */
  constructor(atOnce: number, send: (events: ClaimEvent[]) => Promise<ClaimEvent[]>) {
    this.atOnce = atOnce;
    this.send = send;
  }

  add(event: ClaimEvent): void {
    this.events.push(event);
    if (!this.isSending) void this.sendAll();
  }

  private async sendAll(): Promise<void> {
    this.isSending = true;
    // Events that arrive together from a watch are sent in one call.
    await Promise.resolve();
    while (this.position < this.events.length) {
      let rest = this.events.slice(this.position, this.position + this.atOnce);
      this.position += rest.length;
      this.forgetTaken();
      while (rest.length > 0) rest = await this.trySend(rest);
    }
    this.isSending = false;
  }

  /** The SDK has tried three times before it fails. */
  private async trySend(events: ClaimEvent[]): Promise<ClaimEvent[]> {
    try {
      return await this.send(events);
    } catch (error) {
      console.error('the queue took nothing', error);
      await pause(pauseAfterFailureMs);
      return events;
    }
  }

  private forgetTaken(): void {
    if (this.position < maxTaken || this.position * 2 < this.events.length) return;
    this.events = this.events.slice(this.position);
    this.position = 0;
  }
}
