import type { MessageParts, OutgoingMessage } from '../../../lib/queue/message-parts.ts';
import { Outbox } from '../../../lib/queue/outbox.ts';
import { Machine, Time } from '../../support/simulated-time.ts';
import { partsOf } from './case-outbox.ts';

export interface Taken {
  owner: string;
  name: string;
  atMs: number;
  /** What stood before it on the queue when it came there, by owner. */
  before: Map<string, number>;
}

interface Course {
  /** How long each call takes, and how often the function takes what it works off. */
  callMs?: number;
  tickMs?: number;
  /** How many more wait for keys that rest. */
  resting?: number;
}

/** A FIFO queue whose function works off so many at a time, each tenth of a second unless it is said how often. */
export class WorkedOffQueue {
  readonly time = new Time();
  readonly taken: Taken[] = [];
  readonly outbox: Outbox;
  asked = 0;
  saysDepth = true;
  private readonly waiting: string[] = [];
  private readonly atOnce: () => number;
  private readonly tickMs: number;

  constructor(atOnce: () => number, { callMs = 5, tickMs = 100, resting = 0 }: Course = {}) {
    this.atOnce = atOnce;
    this.tickMs = tickMs;
    const { clock } = new Machine(this.time, { wallOffsetMs: 0, upMs: 0 });
    this.outbox = new Outbox({
      clock,
      onFailure: () => {},
      send: async (_, messages) => {
        await clock.pause(callMs);
        for (const message of messages) this.take(message);
        return [];
      },
      depthOf: async () => {
        this.asked += 1;
        await clock.pause(callMs);
        if (!this.saysDepth) throw new Error('access denied');
        return this.waiting.length + resting;
      },
    });
    this.workOff();
  }

  get depth(): number {
    return this.waiting.length;
  }

  /** So many keys of a namespace come up at once. */
  comeUp(owner: string, count: number, from = 0): void {
    for (let index = from; index < from + count; index += 1) this.outbox.add(partsIn(owner, `k${index}`));
  }

  run(milliseconds: number): Promise<void> {
    return this.time.runUntil(this.time.nowMs + milliseconds);
  }

  of(owner: string): Taken[] {
    return this.taken.filter((each) => each.owner === owner);
  }

  private take({ body }: OutgoingMessage): void {
    const { namespace: owner, name } = JSON.parse(body) as { namespace: string; name: string };
    const before = new Map<string, number>();
    for (const each of this.waiting) before.set(each, (before.get(each) ?? 0) + 1);
    this.taken.push({ owner, name, atMs: this.time.nowMs, before });
    this.waiting.push(owner);
  }

  private workOff(): void {
    this.time.after(this.tickMs, () => {
      this.waiting.splice(0, this.atOnce());
      this.workOff();
    });
  }
}

export function partsIn(namespace: string, name: string): MessageParts {
  return { ...partsOf(name), key: { namespace, name } };
}
