import type { SendBatch } from '../../queue/lane-sender.ts';
import { buildMessage } from '../../queue/message.ts';
import type { OutgoingMessage } from '../../queue/message-parts.ts';
import { RateLimiter } from '../../queue/rate-limiter.ts';
import { type Clock, pauseAfter } from '../../runtime/clock.ts';
import { errorText } from '../../runtime/error-text.ts';
import type { ToSend } from './unfinished-object.ts';

/** SQS takes no more messages in one call. */
const batchSize = 10;
const pauses = { firstMs: 500, maxMs: 8_000 };
/** About half a minute: a queue that is away for longer is told of, and the resync can be run again. */
const maxFailures = 8;
/** A message that is refused so often is hardly ever taken. */
const maxRefusals = 5;

export interface Enqueueing {
  cluster: string;
  runId: string;
  ratePerSecond: number;
  send: SendBatch;
  clock: Clock;
  signal: AbortSignal;
  /** A message is on its queue. */
  onSent: (message: OutgoingMessage) => void;
}

/** What has become of what one function was to be told. */
export interface SendResult {
  function: string;
  kind: string;
  messages: number;
  sent: number;
  /** Why some were not sent; not there when they merely had no time. */
  problem?: string;
}

/** Puts messages onto the queues of their functions, all of them together at the given rate. */
export function enqueue(all: readonly ToSend[], enqueueing: Enqueueing): Promise<SendResult[]> {
  const rateLimiter = new RateLimiter(enqueueing.ratePerSecond, enqueueing.clock);
  const byFunction = Map.groupBy(all, ({ function: name }) => name);
  // A queue that is away must not hold up the others.
  return Promise.all([...byFunction.values()].map((ofOne) => new Line(ofOne, rateLimiter, enqueueing).run()));
}

interface Waiting extends ToSend {
  refusals: number;
}

/** What waits for one queue. */
class Line {
  private readonly results: SendResult;
  private readonly waiting: Waiting[];
  private readonly rateLimiter: RateLimiter;
  private readonly enqueueing: Enqueueing;
  private failures = 0;
  private hasGivenUp = false;

  constructor(all: readonly ToSend[], rateLimiter: RateLimiter, enqueueing: Enqueueing) {
    const [{ function: name, resource }] = all as [ToSend];
    this.results = { function: name, kind: resource.kind, messages: all.length, sent: 0 };
    this.waiting = all.map((each) => ({ ...each, refusals: 0 }));
    this.rateLimiter = rateLimiter;
    this.enqueueing = enqueueing;
  }

  async run(): Promise<SendResult> {
    const { signal, clock } = this.enqueueing;
    while (this.waiting.length > 0 && this.failures < maxFailures) {
      const most = await this.rateLimiter.take(Math.min(batchSize, this.waiting.length), signal);
      if (most === 0) break;
      const wasTaken = await this.send(this.waiting.splice(0, most));
      this.failures = wasTaken ? 0 : this.failures + 1;
      if (!wasTaken) await clock.pause(pauseAfter(this.failures, pauses), signal);
    }
    return this.results;
  }

  /** Whether any was taken. What was not comes again: after a failure first, after a refusal last. */
  private async send(batch: Waiting[]): Promise<boolean> {
    const { send, onSent, cluster, runId, clock } = this.enqueueing;
    const messages = batch.map((each) => buildMessage({ ...each, cluster, time: clock.now(), runId }));
    try {
      const refused = await send(this.results.function, messages);
      // A trouble that is over is none, unless something was given up meanwhile.
      if (!this.hasGivenUp) delete this.results.problem;
      for (const [position, each] of batch.entries()) {
        if (refused.includes(position)) this.refuse(each);
        else this.take(messages[position] as OutgoingMessage, onSent);
      }
      return refused.length < batch.length;
    } catch (error) {
      this.results.problem = errorText(error);
      this.waiting.unshift(...batch);
      return false;
    }
  }

  private take(message: OutgoingMessage, onSent: (message: OutgoingMessage) => void): void {
    this.results.sent += 1;
    onSent(message);
  }

  private refuse(each: Waiting): void {
    const refusals = each.refusals + 1;
    this.results.problem = 'its queue refuses messages';
    if (refusals < maxRefusals) this.waiting.push({ ...each, refusals });
    else this.hasGivenUp = true;
  }
}
