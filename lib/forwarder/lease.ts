import { type ErrorClass, isClusterError } from '../kubernetes/errors.ts';
import { type Checkpoint, formatCheckpoint, parseCheckpoint } from './checkpoint.ts';
import { LeaseCalls } from './lease-calls.ts';
import { LeaseHold, LeaseLost } from './lease-hold.ts';
import type { Acquired, Acquiring, LeaseOptions } from './lease-options.ts';
import { holderOf } from './lease-record.ts';
import { LeaseWait } from './lease-wait.ts';

export type { Acquired, Acquiring, LeaseOptions };
export { LeaseLost };

const callMs = 3_000;
const pollMs = 1_000;
const renewMs = 2_000;
const retryMs = 1_000;
const releaseMs = 3_000;
const defaultDurationSeconds = 15;
/** The same call may succeed a little later. */
const passing: ErrorClass[] = ['unreachable', 'throttled', 'unauthorized'];

/** Lets one forwarder per cluster work at a time, and passes its checkpoint on to the next one. */
export class Lease {
  private readonly options: LeaseOptions;
  private readonly calls: LeaseCalls;
  private readonly hold: LeaseHold;
  private readonly durationSeconds: number;
  private failure: Error | undefined;

  constructor(options: LeaseOptions) {
    const { connection, clock, name, holder, durationSeconds = defaultDurationSeconds } = options;
    this.options = options;
    this.durationSeconds = durationSeconds;
    this.calls = new LeaseCalls(connection, clock, name);
    this.hold = new LeaseHold({ calls: this.calls, clock, holder, durationSeconds });
  }

  /**
   * Waits until the lease is ours, with the checkpoint that the last holder left. It can also be ours when the signal has
   * aborted meanwhile; then it is to be released. Rejects when the cluster refuses, and when it cannot be reached at the
   * end of the wait.
   */
  async acquire({ signal, endsAt, giveUpAfter }: Acquiring): Promise<Acquired> {
    const { clock, holder } = this.options;
    const wait = new LeaseWait(clock, holder, this.durationSeconds);
    while (!signal.aborted) {
      try {
        wait.see(await this.calls.read({ milliseconds: callMs, signal }));
        this.failure = undefined;
        if (wait.remainingMs === 0 && (await this.take(wait, endsAt))) {
          return { outcome: 'held', checkpoint: this.readCheckpoint() };
        }
        if (wait.isInVain(giveUpAfter)) return { outcome: 'in-vain' };
      } catch (error) {
        if (!isClusterError(error, 'conflict', 'exists', ...passing)) throw error;
        // An answer that is no longer waited for is missing for no other reason.
        if (isClusterError(error, ...passing) && !signal.aborted)
          this.failure = this.logFailure('lease not acquired yet', error);
      }
      if (giveUpAfter && clock.now() >= giveUpAfter) return this.giveUp();
      await clock.pause(Math.min(pollMs, wait.remainingMs || pollMs), signal);
    }
    if (this.failure) throw this.failure;
    return { outcome: 'stopped' };
  }

  /** A holder that does not say when it ends may go on for ever; and so may a cluster be away. */
  private giveUp(): Acquired {
    if (this.failure) throw this.failure;
    return { outcome: 'in-vain' };
  }

  /** Why it cannot be acquired, other than that someone else holds it. */
  get trouble(): Error | undefined {
    return this.failure;
  }

  /** Whether no one else can hold it for at least this much longer. */
  isHeldFor(milliseconds: number): boolean {
    return this.hold.remainingMs > milliseconds;
  }

  /** Since when, by the clock's elapsedMs, the cluster has had the checkpoint that it has now; undefined before we held it. */
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
        onRenewed?.();
      } catch (error) {
        if (signal.aborted) return;
        if (!isClusterError(error, 'conflict', ...passing)) throw error;
        reason = `it could not be renewed in time, because ${this.logFailure('lease not renewed', error).message}`;
        pauseMs = retryMs;
      }
    }
  }

  /** Writes the last checkpoint and gives the lease away, if it is still ours. Who waits has it without this too, but later. */
  async release(checkpoint: Checkpoint): Promise<void> {
    const { clock } = this.options;
    const untilMs = clock.elapsedMs() + releaseMs;
    const limit = () => ({ milliseconds: Math.max(0, untilMs - clock.elapsedMs()) });
    await this.hold
      .free(formatCheckpoint(checkpoint), limit)
      .catch((error) => this.logFailure('lease not released', error));
  }

  /** Answers whether it is ours: the answer may have come when its time was over. */
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
    const { log, cluster, holder } = this.options;
    log.error(message, { cluster, holder, error: String(error) });
    return error;
  }
}
