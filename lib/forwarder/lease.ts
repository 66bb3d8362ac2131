import { type ErrorClass, isClusterError } from '../kubernetes/errors.ts';
import { pauseAfter } from '../runtime/clock.ts';
import { RepeatedFailure } from '../runtime/repeated-failure.ts';
import { type Checkpoint, formatCheckpoint, parseCheckpoint } from './checkpoint.ts';
import { LeaseCalls } from './lease-calls.ts';
import { LeaseHold, LeaseLost } from './lease-hold.ts';
import { type AcquireOptions, type AcquireResult, defaultDurationSeconds, type LeaseOptions } from './lease-options.ts';
import { holderOf } from './lease-record.ts';
import { LeaseWait } from './lease-wait.ts';

export type { AcquireOptions as Acquiring, AcquireResult as Acquired, LeaseOptions };
export { LeaseLost };

const callMs = 3_000;
const pollMs = 500;
const renewMs = 2_000;
const retryMs = 1_000;
const releaseMs = 3_000;
/** Without an answer it is asked ever more seldom: each time a program may be asked for credentials. */
const failedPauses = { firstMs: 1_000, maxMs: 8_000 };
/** The same call may succeed a little later. */
const transientErrors: ErrorClass[] = ['unreachable', 'throttled', 'unauthorized'];

/** Lets one forwarder per cluster work at a time, and passes its checkpoint on to the next one. */
export class Lease {
  private readonly options: LeaseOptions;
  private readonly calls: LeaseCalls;
  private readonly hold: LeaseHold;
  private readonly durationSeconds: number;
  private failure: Error | undefined;
  private readonly repeated: RepeatedFailure;

  constructor(options: LeaseOptions) {
    const { connection, clock, log, name, holder, cluster, durationSeconds = defaultDurationSeconds, notes } = options;
    this.options = options;
    this.durationSeconds = durationSeconds;
    this.calls = new LeaseCalls(connection, clock, name);
    this.repeated = new RepeatedFailure(log, clock);
    this.hold = new LeaseHold({ calls: this.calls, clock, holder, cluster, durationSeconds, notes });
  }

  /**
   * Waits until the lease is held, with the checkpoint that the last holder left. It can also be held when the signal has
   * aborted meanwhile; then it must be released. Rejects when the cluster refuses, and when it cannot be reached at the end
   * of the wait.
   */
  async acquire({ signal, endsAt, giveUpAfter }: AcquireOptions): Promise<AcquireResult> {
    const { clock, holder } = this.options;
    const wait = new LeaseWait(clock, holder, this.durationSeconds);
    let failures = 0;
    while (!signal.aborted) {
      try {
        wait.see(await this.calls.read({ milliseconds: callMs, signal }));
        this.failure = undefined;
        failures = 0;
        if (wait.remainingMs === 0 && (await this.take(wait, endsAt))) {
          return { outcome: 'held', checkpoint: this.readCheckpoint() };
        }
        if (wait.isHeldBeyond(giveUpAfter)) return { outcome: 'another-leads' };
      } catch (error) {
        if (!isClusterError(error, 'conflict', 'exists', ...transientErrors)) throw error;
        // After an abort, a missing answer is no failure.
        if (isClusterError(error, ...transientErrors) && !signal.aborted) {
          this.failure = this.logFailure('lease not acquired yet', error);
          failures += 1;
        }
      }
      if (giveUpAfter && clock.now() >= giveUpAfter) return this.giveUp();
      const maxPauseMs = failures === 0 ? pollMs : pauseAfter(failures, failedPauses);
      const leftMs = giveUpAfter ? Math.max(0, giveUpAfter.getTime() - clock.now().getTime()) : maxPauseMs;
      await clock.pause(Math.min(maxPauseMs, leftMs, wait.remainingMs || maxPauseMs), signal);
    }
    if (this.failure) throw this.failure;
    return { outcome: 'stopped' };
  }

  /** A holder that does not announce its end may hold the lease forever; and a cluster may stay unreachable forever. */
  private giveUp(): AcquireResult {
    if (this.failure) throw this.failure;
    return { outcome: 'another-leads' };
  }

  /** The reason it cannot be acquired, other than that another process holds it. */
  get acquireError(): Error | undefined {
    return this.failure;
  }

  /** True if no other process can hold it for at least this much longer. */
  isHeldFor(milliseconds: number): boolean {
    return this.hold.remainingMs > milliseconds;
  }

  /**
   * The time, by the clock's elapsedMs, since which the cluster has had its present checkpoint; undefined before the
   * first hold.
   */
  get checkpointWrittenAt(): number | undefined {
    return this.hold.checkpointWrittenAt;
  }

  /** Renews it and writes the checkpoint until the signal aborts. Rejects with LeaseLost, or when the cluster refuses. */
  async keep(signal: AbortSignal, checkpoint: () => Checkpoint): Promise<void> {
    const { clock, onRenewed } = this.options;
    let reason = 'this process was too slow to renew it';
    let pauseMs = renewMs;
    for (;;) {
      await clock.pause(Math.min(pauseMs, this.hold.remainingMs), signal);
      if (signal.aborted) return;
      if (!this.isHeldFor(0)) throw new LeaseLost(reason);
      try {
        await this.hold.renew(formatCheckpoint(checkpoint()), { milliseconds: callMs, signal });
        pauseMs = renewMs;
        this.repeated.over();
        onRenewed?.();
      } catch (error) {
        if (signal.aborted) return;
        if (!isClusterError(error, 'conflict', ...transientErrors)) throw error;
        reason = `it could not be renewed in time, because ${this.logFailure('lease not renewed', error).message}`;
        pauseMs = retryMs;
      }
    }
  }

  /** Writes the last checkpoint and releases the lease, if still held. Otherwise it merely expires later. */
  async release(checkpoint: Checkpoint): Promise<void> {
    const { clock } = this.options;
    const untilMs = clock.elapsedMs() + releaseMs;
    const limit = () => ({ milliseconds: Math.max(0, untilMs - clock.elapsedMs()) });
    await this.hold
      .free(formatCheckpoint(checkpoint), limit)
      .catch((error) => this.logFailure('lease not released', error));
  }

  /** True if it is held now: the answer may have come after it expired. */
  private async take({ found = this.calls.unwritten }: LeaseWait, endsAt: Date | undefined): Promise<boolean> {
    await this.hold.take(found, endsAt, { milliseconds: callMs });
    const { log, cluster, holder } = this.options;
    log.info('lease taken', { cluster, holder, from: holderOf(found) });
    return this.isHeldFor(0);
  }

  private readCheckpoint(): Checkpoint | undefined {
    const text = this.hold.checkpointText;
    const checkpoint = text === undefined ? undefined : parseCheckpoint(text);
    if (text !== undefined && !checkpoint) {
      const { log, cluster } = this.options;
      log.error('checkpoint cannot be read; listing everything', { cluster, length: text.length });
    }
    return checkpoint;
  }

  private logFailure(message: string, error: Error): Error {
    const { cluster, holder } = this.options;
    this.repeated.add(message, { cluster, holder, error: String(error) });
    return error;
  }
}
