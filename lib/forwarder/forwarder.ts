import { createRouter, watchedResources } from '../capabilities/all-capabilities.ts';
import { isClusterError } from '../kubernetes/errors.ts';
import type { ObjectName } from '../kubernetes/resources.ts';
import { newRunId } from '../queue/identifiers.ts';
import type { Counts } from '../reconcile/routing.ts';
import { pauseAfter } from '../runtime/clock.ts';
import { stackFor } from '../runtime/failure-fields.ts';
import type { Checkpoint } from './checkpoint.ts';
import { Dispatch } from './dispatch.ts';
import { defaultMaxFanOut } from './fan-out.ts';
import type { ForwarderOptions, ForwarderStats } from './forwarder-options.ts';
import { ProgressOfKinds } from './progress-of-kinds.ts';
import type { Unfinished } from './unfinished-objects.ts';
import { WatchSession } from './watch-session.ts';

const defaults = { since: {}, resources: watchedResources, createRouter, newRunId, maxFanOut: defaultMaxFanOut };
const relistPauses = { firstMs: 1_000, maxMs: 10_000 };
/** A list this soon after the last one may have the same cause, and waits. */
const minSessionMs = 5_000;
/** The maximum duration of sending the last messages. */
const maxLastSendMs = 3_000;

/**
 * Sends a message to a queue for every change that concerns a key. It starts with a list of everything, which finds all
 * changes since the checkpoint; so a forwarder that was away, or was stopped at any time, has missed nothing.
 */
export class Forwarder {
  readonly stats: ForwarderStats;
  private readonly options: Required<ForwarderOptions>;
  private readonly loggedMissing = new Set<string>();
  private readonly progress: ProgressOfKinds;
  private dispatch: Dispatch | undefined;
  private deferredBefore = 0;

  constructor(options: ForwarderOptions) {
    this.options = { ...defaults, ...options };
    this.progress = new ProgressOfKinds(this.options.since);
    this.stats = { lists: 0, watchFailures: 0, lastResponseMs: options.clock.elapsedMs(), isFollowing: false };
  }

  /** The versions up to which everything has been accepted by the queues, and written to the archive. */
  get checkpoint(): Checkpoint {
    return this.progress.checkpoint;
  }

  /** The time since which the oldest change has waited to be accepted by its queue, and written to the archive. */
  get openSinceMs(): number | undefined {
    return this.progress.openSinceMs;
  }

  /** The number of objects with unfinished work. */
  get unfinished(): number {
    return this.dispatch?.unfinished.size ?? 0;
  }

  /** What is unfinished of an object, as far as this forwarder knows. */
  unfinishedOf(object: ObjectName): Unfinished | undefined {
    return this.dispatch?.unfinished.find(object);
  }

  /** The number of messages left to the slow lane, because too many objects wait for the same change. */
  get deferred(): number {
    return this.deferredBefore + (this.dispatch?.fanOut.deferred ?? 0);
  }

  /** Counts of objects in the cluster, once it has been listed. */
  get counts(): Counts | undefined {
    return this.dispatch?.counts;
  }

  /**
   * Runs until the signal aborts it. Messages of changes until then are still sent; if a queue does not accept them in
   * time this throws, and nothing is lost, since the checkpoint has not passed them.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { outbox, cluster, clock, log } = this.options;
    let failures = 0;
    let failure: unknown;
    while (!signal.aborted) {
      try {
        const followedMs = await this.runSession(signal);
        // A server whose every response requires a new list must not be called without a pause.
        failures = followedMs < minSessionMs ? failures + 1 : 0;
      } catch (error) {
        // An abort is not a failure.
        if (!signal.aborted) failure = this.logListFailure(error);
        failures += 1;
      }
      if (failures > 0) await clock.pause(pauseAfter(failures, relistPauses), signal);
    }
    if (this.stats.lists === 0 && failure) throw failure;
    outbox.tryNow();
    const tooLate = new AbortController();
    await Promise.race([outbox.drained(tooLate.signal), clock.pause(maxLastSendMs, tooLate.signal)]);
    tooLate.abort();
    if (outbox.size === 0) return;
    const { size, heldCount } = outbox;
    outbox.stop();
    if (size === heldCount) {
      log.info('waiting keys are left to the next run', { cluster, messages: heldCount });
      return;
    }
    throw new Error(`${outbox.size} messages about ${cluster} could not be sent: the queue refuses them`);
  }

  /** From one list until the next one is needed. Returns the time for which changes were followed. */
  private async runSession(signal: AbortSignal): Promise<number> {
    const { log, cluster, clock } = this.options;
    const dispatch = new Dispatch({ ...this.options, router: this.options.createRouter(), progress: this.progress });
    const session = new WatchSession(this.options, dispatch, this.stats, this.loggedMissing, signal);
    try {
      const listed = await session.list();
      if (signal.aborted) return 0;
      this.deferredBefore = this.deferred;
      this.dispatch = dispatch;
      this.stats.lists += 1;
      this.stats.isFollowing = true;
      const listedMs = clock.elapsedMs();
      this.stats.lastResponseMs = listedMs;
      log.info('listed', { cluster });
      await session.follow(listed);
      return clock.elapsedMs() - listedMs;
    } finally {
      this.stats.isFollowing = false;
      session.end();
    }
  }

  /** Waiting does not help if permissions are missing. */
  private logListFailure(error: unknown): unknown {
    if (this.stats.lists === 0 && isClusterError(error, 'denied')) throw error;
    const { log, cluster } = this.options;
    log.error('list failed', { cluster, error: String(error), stack: stackFor(error, log) });
    return error;
  }
}
