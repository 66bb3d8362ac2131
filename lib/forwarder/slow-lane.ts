import type { MessageParts } from '../queue/message-parts.ts';
import type { Outbox } from '../queue/outbox.ts';
import type { Route } from '../reconcile/routing.ts';
import type { Clock } from '../runtime/clock.ts';
import type { FanOut } from './fan-out.ts';
import type { Unfinished, UnfinishedObjects } from './unfinished-objects.ts';

/** Unfinished objects are sent again after this long, or later if they are very many. */
const resendEveryMs = 60_000;
const tickMs = 1_000;
/** At least this many per second, more if that is needed to get through all in this time. */
const minATick = 100;
const maxRoundMs = 10 * 60_000;
/** Nothing is sent again to a function while this many live changes wait for its queue, or this many of the same namespace. */
const busyAt = 1_000;

export interface SlowLaneOptions {
  cluster: string;
  unfinished: UnfinishedObjects;
  fanOut: Pick<FanOut, 'isLeftOut'>;
  outbox: Outbox;
  clock: Clock;
  /** A unique string: these messages must not be deduplicated against earlier ones of the same versions. */
  newRunId: () => string;
}

/** Sends unfinished objects again until aborted: at once those not known to have been sent, and then each minute. */
export async function runSlowLane(options: SlowLaneOptions, signal: AbortSignal): Promise<void> {
  const { unfinished, fanOut, outbox, clock, cluster, newRunId } = options;
  const isBusy = (route: Route, owner: string | undefined) =>
    outbox.sizeOf(route.function) >= busyAt || outbox.sizeOfOwner({ ...route, owner }) >= busyAt;
  const canSend = ({ owner, routes }: Unfinished) => !routes.some((route) => isBusy(route, owner));
  while (!signal.aborted) {
    const nowMs = clock.elapsedMs();
    const max = Math.max(minATick, Math.ceil((unfinished.size * tickMs) / maxRoundMs));
    const due = unfinished.take({ beforeMs: nowMs - resendEveryMs, max, nowMs, canSend });
    const runId = due.length > 0 ? newRunId() : '';
    for (const { cause, owner, routes } of due) {
      for (const route of routes) {
        const isCrowded = fanOut.isLeftOut(route);
        const parts: MessageParts = { cluster, ...route, cause, owner, time: clock.now(), runId, isCrowded };
        // A waiting message covers this too, and live changes must not be delayed by it.
        if (!outbox.isToSend(parts)) outbox.add(parts);
      }
    }
    await clock.pause(tickMs, signal);
  }
}
