import { isClusterError } from '../kubernetes/errors.ts';
import type { Clock } from '../runtime/clock.ts';
import type { CallLimit, LeaseCalls } from './lease-calls.ts';
import {
  checkpointTextOf,
  freedRecord,
  holderOf,
  type LeaseRecord,
  renewedRecord,
  requestsAnnotation,
  takenRecord,
  type Writer,
} from './lease-record.ts';

/** This process may no longer act as the holder. Another holder may be active. */
export class LeaseLost extends Error {
  constructor(reason: string) {
    super(`the lease is lost: ${reason}. Run the forwarder again: it waits for its turn`);
    this.name = 'LeaseLost';
  }
}

export interface HoldOptions {
  calls: LeaseCalls;
  clock: Clock;
  holder: string;
  cluster: string;
  durationSeconds: number;
  notes?: NotesOfHolder | undefined;
}

/** What a holder writes on its lease beside the checkpoint, and what it finds there. */
export interface NotesOfHolder {
  status: () => string;
  /** May be called more than once with the same text. */
  onRequests: (text: string) => void;
}

/**
 * A lease as its holder sees it. A write counts only once it was answered, and from before it was sent: a waiting
 * process has seen it later, and so considers the holder dead later than the holder itself does. A write whose answer
 * was lost never counts; the next write meets its result.
 */
export class LeaseHold {
  private readonly options: HoldOptions;
  /** The last record that this process wrote; each write may only replace this one. */
  private record: LeaseRecord | undefined;
  private sinceMs: number | undefined;
  private checkpoint: { text: string | undefined; atMs: number } | undefined;

  constructor(options: HoldOptions) {
    this.options = options;
  }

  get remainingMs(): number {
    if (this.sinceMs === undefined) return 0;
    return Math.max(0, this.sinceMs + this.options.durationSeconds * 1_000 - this.options.clock.elapsedMs());
  }

  get checkpointText(): string | undefined {
    return this.checkpoint?.text;
  }

  get checkpointWrittenAt(): number | undefined {
    return this.checkpoint?.atMs;
  }

  /** Replaces exactly the record that was found. */
  async take(found: LeaseRecord, endsAt: Date | undefined, limit: CallLimit): Promise<void> {
    this.forget();
    await this.write(takenRecord(found, this.writer(), endsAt), limit);
  }

  async renew(checkpoint: string, limit: CallLimit): Promise<void> {
    const { record } = this;
    if (!record) throw new LeaseLost('it has been released');
    try {
      await this.write(renewedRecord(record, this.writer(), checkpoint), limit, record);
    } catch (error) {
      if (!isClusterError(error, 'conflict')) throw error;
      const ours = await this.readOurs(limit);
      const requests = ours.metadata.annotations?.[requestsAnnotation];
      if (requests !== undefined) this.options.notes?.onRequests(requests);
      await this.write(renewedRecord(ours, this.writer(), checkpoint), limit, record);
    }
  }

  /** It counts as released from the beginning of the call, as it is unknown when the write arrives. */
  async free(checkpoint: string, limit: () => CallLimit): Promise<void> {
    const { record } = this;
    const { calls } = this.options;
    this.forget();
    if (!record) return;
    try {
      await calls.write(freedRecord(record, this.writer(), checkpoint), limit());
    } catch (error) {
      if (!isClusterError(error, 'conflict')) throw error;
      const ours = await this.readOurs(limit());
      await calls.write(freedRecord(ours, this.writer(), checkpoint), limit());
    }
  }

  forget(): void {
    this.record = undefined;
    this.sinceMs = undefined;
  }

  /** A conflict may come from an earlier write of this process, or from someone else's change to the record. */
  private async readOurs(limit: CallLimit): Promise<LeaseRecord> {
    const found = await this.options.calls.read(limit);
    const heldBy = holderOf(found);
    if (found && heldBy === this.options.holder) return found;
    this.forget();
    throw new LeaseLost(found ? `it is held by ${heldBy || 'no one'} now` : 'it has been deleted');
  }

  private async write(record: LeaseRecord, limit: CallLimit, before?: LeaseRecord): Promise<void> {
    const sentMs = this.options.clock.elapsedMs();
    const written = await this.options.calls.write(record, limit);
    // Meanwhile it may have been released, which no late answer reverts.
    if (before !== this.record) throw new LeaseLost('it has been released');
    this.record = written;
    this.sinceMs = sentMs;
    const text = checkpointTextOf(written);
    if (!this.checkpoint || this.checkpoint.text !== text) this.checkpoint = { text, atMs: sentMs };
  }

  private writer(): Writer {
    const { clock, holder, cluster, durationSeconds, notes } = this.options;
    const writer = { holder, cluster, durationSeconds, now: clock.now() };
    return { ...writer, status: notes?.status(), takesRequests: notes !== undefined };
  }
}
