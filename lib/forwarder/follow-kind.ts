import { isClusterError } from '../kubernetes/errors.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { canBeLeftOut } from '../kubernetes/served.ts';
import type { Change } from '../reconcile/routing.ts';
import { pauseAfter } from '../runtime/clock.ts';
import { stackFor } from '../runtime/failure-fields.ts';
import type { RepeatedFailure } from '../runtime/repeated-failure.ts';
import type { Dispatch } from './dispatch.ts';
import type { ForwarderOptions, ForwarderStats } from './forwarder-options.ts';
import type { KindEvents, KindWatch } from './kind-watch.ts';

const rewatchPauses = { firstMs: 500, maxMs: 8_000 };
/** After this many failures of one kind's watch in a row, everything is listed again. */
const maxFailures = 8;

/** Shared by all kinds that are watched. */
export interface FollowOptions {
  options: Required<ForwarderOptions>;
  dispatch: Dispatch;
  stats: ForwarderStats;
  signal: AbortSignal;
  failures: RepeatedFailure;
}

/** A kind as the product names it, and its watch in the version that the cluster serves. */
export interface WatchedKind {
  resource: Resource;
  watch: KindWatch;
}

/**
 * Watches one kind, each time from where the last watch ended. Resolves when the signal aborts it, or when everything must
 * be listed again.
 */
export async function followKind({ resource, watch }: WatchedKind, following: FollowOptions): Promise<void> {
  const { signal } = following;
  const { clock } = following.options;
  let failures = 0;
  while (!signal.aborted) {
    const startedMs = clock.elapsedMs();
    const seen = { changes: 0 };
    try {
      await watch.follow(eventsOf(resource, following, seen));
      failures = 0;
      // A server that ends each watch at once must not be called without a pause.
      if (clock.elapsedMs() - startedMs < rewatchPauses.firstMs) await clock.pause(rewatchPauses.firstMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      failures = seen.changes > 0 ? 1 : failures + 1;
      const isOver = isClusterError(error, 'expired') || canBeLeftOut(resource, error) || failures >= maxFailures;
      logWatchFailure(resource, following, error, isOver);
      if (isOver) return;
      await clock.pause(pauseAfter(failures, rewatchPauses), signal);
    }
  }
}

function eventsOf(resource: Resource, following: FollowOptions, seen: { changes: number }): KindEvents {
  const { dispatch, stats, signal, options } = following;
  const { clock, outbox } = options;
  return {
    change: (type, object) => {
      seen.changes += 1;
      const change: Change = { type, resource, object, seenAt: clock.now() };
      dispatch.live(change);
    },
    pass: (version) => dispatch.pass(resource, version),
    room: () => {
      stats.lastResponseMs = clock.elapsedMs();
      return outbox.room(signal);
    },
  };
}

function logWatchFailure(resource: Resource, following: FollowOptions, error: unknown, isOver: boolean): void {
  const { options, stats, failures } = following;
  const { log, cluster } = options;
  stats.watchFailures += 1;
  const what = isOver ? 'watch failed; listing everything again' : 'watch failed';
  failures.add(what, { cluster, kind: resource.kind, error: String(error), stack: stackFor(error, log) });
}
