import type { Clock } from '../runtime/clock.ts';
import { endsAtOf, holderOf, type LeaseRecord } from './lease-record.ts';

/**
 * A lease as a waiting process sees it. The times in it are of another machine's clock, and are ignored: a holder is
 * considered dead only when its record has not changed for the whole duration, as measured here.
 */
export class LeaseWait {
  private readonly clock: Clock;
  private readonly holder: string;
  private readonly ownDurationSeconds: number;
  private record: LeaseRecord | undefined;
  private seenAt = 0;
  private isAlive = false;

  constructor(clock: Clock, holder: string, ownDurationSeconds: number) {
    this.clock = clock;
    this.holder = holder;
    this.ownDurationSeconds = ownDurationSeconds;
  }

  /** Called with a response that has just arrived: its record was written before, so it is at least as old as it seems. */
  see(record: LeaseRecord | undefined): void {
    const before = this.record;
    this.record = record;
    if (before && before.metadata.resourceVersion === record?.metadata.resourceVersion) return;
    this.seenAt = this.clock.elapsedMs();
    this.isAlive = before !== undefined && holderOf(record) !== '';
  }

  get found(): LeaseRecord | undefined {
    return this.record;
  }

  /** The time until it may be taken over, if it does not change. */
  get remainingMs(): number {
    const heldBy = holderOf(this.record);
    // A record that names this holder comes from a request whose answer was lost.
    if (heldBy === '' || heldBy === this.holder) return 0;
    const seconds = this.record?.spec?.leaseDurationSeconds ?? this.ownDurationSeconds;
    return Math.max(0, this.seenAt + seconds * 1_000 - this.clock.elapsedMs());
  }

  /** True if a live holder plans to stay longer than this process can wait. */
  isHeldBeyond(giveUpAfter: Date | undefined): boolean {
    const endsAt = endsAtOf(this.record);
    return this.isAlive && giveUpAfter !== undefined && endsAt !== undefined && endsAt > giveUpAfter;
  }
}
