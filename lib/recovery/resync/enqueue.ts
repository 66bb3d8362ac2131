import { displayName } from '../../kubernetes/resources.ts';
import { LaneSender, refusalsAt, type SendBatch } from '../../queue/lane-sender.ts';
import { buildMessage } from '../../queue/message.ts';
import type { OutgoingMessage } from '../../queue/message-parts.ts';
import { type OrderedEntry, OrderedLane } from '../../queue/ordered-lane.ts';
import { RateLimiter } from '../../queue/rate-limiter.ts';
import { Waiters } from '../../queue/waiters.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorText } from '../../runtime/error-text.ts';
import type { ToSend } from './unfinished-object.ts';

const pauses = { firstMs: 500, maxMs: 8_000 };
/** About half a minute: a longer outage of a queue is reported, and the resync can be run again. */
const maxFailures = 8;
/** A message that is refused this often is hardly ever accepted. */
const maxRefusals = 5;

export interface Enqueueing {
  cluster: string;
  runId: string;
  ratePerSecond: number;
  send: SendBatch;
  clock: Clock;
  signal: AbortSignal;
  /** Called when a message is on its queue. */
  onSent: (message: OutgoingMessage) => void;
}

/** The outcome of the messages for one function. */
export interface SendResult {
  function: string;
  kind: string;
  messages: number;
  sent: number;
  /** The reason why some were not sent; undefined if there merely was no time. */
  problem?: string;
}

/** Puts messages onto the queues of their functions, all together at the given rate. */
export function enqueue(all: readonly ToSend[], enqueueing: Enqueueing): Promise<SendResult[]> {
  const pace = new RateLimiter(enqueueing.ratePerSecond, enqueueing.clock);
  const byFunction = Map.groupBy(all, ({ function: name }) => name);
  // An unavailable queue must not delay the others.
  return Promise.all([...byFunction.values()].map((ofOne) => enqueueForOne(ofOne, pace, enqueueing)));
}

interface Waiting extends ToSend, OrderedEntry {}

async function enqueueForOne(
  all: readonly ToSend[],
  pace: RateLimiter,
  { cluster, runId, send, clock, signal, onSent }: Enqueueing,
): Promise<SendResult> {
  const [{ function: name, resource }] = all as [ToSend];
  const result: SendResult = { function: name, kind: resource.kind, messages: all.length, sent: 0 };
  const lane = new OrderedLane<Waiting>();
  const waiters = new Waiters();
  let refusedForGood = 0;
  const sender = new LaneSender(lane, {
    offer: async (messages) => {
      const refused = await send(name, messages);
      // A problem that has passed is not reported, unless messages were given up meanwhile.
      if (refusedForGood === 0) delete result.problem;
      return refusalsAt(refused);
    },
    messageOf: (each) => buildMessage({ ...each, cluster, time: clock.now(), runId }),
    pause: (milliseconds) => clock.pause(milliseconds, signal),
    pauses,
    maxCalls: 1,
    isStopped: () => signal.aborted,
    pace: (most) => pace.take(most, signal),
    onTaken: (_, message) => {
      result.sent += 1;
      onSent(message);
    },
    // It is sent again, after all others.
    onRefused: (each) => {
      result.problem = 'its queue refuses messages';
      if (each.refusals < maxRefusals) lane.add({ ...each });
      else refusedForGood += 1;
      return 'settled';
    },
    mustTakeAny: true,
    onFailure: (error) => {
      result.problem = errorText(error);
    },
    triesAgain: (_, failures) => failures < maxFailures,
    onProgress: () => waiters.wake(),
  });
  for (const each of all) lane.add({ ...each, group: displayName(each.key), refusals: 0 });
  sender.send();
  const isOver = () => result.sent + refusedForGood === all.length || sender.hasGivenUp || signal.aborted;
  await waiters.until(() => sender.calls === 0 && isOver(), signal);
  return result;
}
