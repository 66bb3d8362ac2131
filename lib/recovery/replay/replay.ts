import type { ArchivedMessage } from '../../archive/archived-message.ts';
import { DamagedSegment } from '../../archive/read-archive.ts';
import { type Envelope, readEnvelope } from '../../queue/envelope.ts';
import { sentAgain } from '../../queue/message.ts';
import { RateLimiter } from '../../queue/rate-limiter.ts';
import type { Offer } from '../../queue/send.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { ArchiveReader } from './archive-reader.ts';
import { Ledger, type Settled } from './ledger.ts';
import type { Position } from './position.ts';
import { Sending } from './replay-queues.ts';
import { Selection, type SelectionOptions } from './selection.ts';
import type { Damage, Summary } from './summary.ts';

export interface ReplayOptions extends Pick<SelectionOptions, 'wish' | 'functions'> {
  runId: string;
  archive: ArchiveReader;
  /** Undefined in a dry run, which only counts. */
  offer?: Offer | undefined;
  clock: Clock;
  /** Aborts when the replay is to stop: messages in flight are awaited, and nothing new begins. */
  signal: AbortSignal;
  ratePerSecond?: number | undefined;
  /** True if the rest of a damaged segment is skipped. Otherwise the replay ends there. */
  skipDamaged?: boolean;
  /** The position at which an earlier part of the same run stopped, and its counts. */
  since?: Settled;
  onDamage?: (damage: Damage) => void;
  onTrouble?: (problem: string) => void;
}

/** Puts archived messages onto their queues again: those of each group in the order of the archive. */
export class Replay {
  private readonly options: ReplayOptions;
  private readonly ledger: Ledger;
  private readonly sending: Sending;
  private readonly selection: Selection;
  private readonly stopping = new AbortController();
  /** Aborts when nothing new may begin, for any reason. */
  private readonly signal: AbortSignal;
  private failure: { reason: unknown } | undefined;

  constructor(options: ReplayOptions) {
    const { clock, since, ratePerSecond, offer = async () => [], onTrouble = () => {} } = options;
    this.options = options;
    this.ledger = new Ledger(since);
    this.selection = new Selection({ ...options, isDryRun: options.offer === undefined });
    this.signal = AbortSignal.any([options.signal, this.stopping.signal]);
    const pace = ratePerSecond === undefined ? undefined : new RateLimiter(ratePerSecond, clock);
    const onFailure = (reason: unknown) => this.fail(reason);
    this.sending = new Sending({ offer, clock, signal: this.signal, pace, onTrouble, onFailure });
  }

  /** The position up to which nothing is left to do. */
  get position(): Position | undefined {
    return this.ledger.position;
  }

  /** The same with the outcomes up to there: the start of a resumed run. */
  get settled(): Settled {
    return this.ledger.settled;
  }

  /** The outcomes of everything until now, including messages after that position. */
  get summary(): Summary {
    return this.ledger.counter.summary;
  }

  get replayed(): number {
    return this.ledger.counter.replayed;
  }

  /**
   * Returns true if it reached the end of its range. Throws the error that ended it before, once nothing is in flight
   * any more.
   */
  async run(): Promise<boolean> {
    try {
      const { wish, since } = this.options;
      const first = Math.max(0, wish.clusters.indexOf(since?.position?.cluster ?? ''));
      for (const cluster of wish.clusters.slice(first)) await this.replayCluster(cluster);
    } catch (error) {
      this.fail(error);
    }
    await this.sending.ended();
    if (this.failure) throw this.failure.reason;
    return !this.signal.aborted;
  }

  private async replayCluster(cluster: string): Promise<void> {
    const { wish, archive, since } = this.options;
    const resumed = since?.position?.cluster === cluster ? since.position : undefined;
    for await (const segment of archive.segments({ ...wish, cluster }, resumed?.segment)) {
      if (this.signal.aborted) return;
      await this.replaySegment(cluster, segment, resumed?.segment === segment ? resumed.lines : 0);
    }
  }

  private async replaySegment(cluster: string, segment: string, linesDone: number): Promise<void> {
    let lines = 0;
    try {
      for await (const messages of this.options.archive.messages(segment)) {
        for (const message of messages) {
          lines += 1;
          if (lines > linesDone) await this.replayMessage(message, { cluster, segment, lines });
          if (this.signal.aborted) return;
        }
      }
    } catch (error) {
      if (!(error instanceof DamagedSegment) || !this.options.skipDamaged) throw error;
      const damage = { segment, linesRead: lines, reason: error.reason };
      this.ledger.count(undefined, (counter) => counter.note(damage));
      this.options.onDamage?.(damage);
    }
  }

  private async replayMessage(message: ArchivedMessage, position: Position): Promise<void> {
    if (this.sending.isFull || this.ledger.isFull) await this.sending.room(() => !this.ledger.isFull);
    const envelope = readEnvelope(message.body);
    const unsent = this.selection.unsent(message, envelope, position.cluster);
    if (unsent) this.ledger.count(position, unsent);
    else if (!this.signal.aborted) this.send(message, envelope, position);
  }

  private send(message: ArchivedMessage, envelope: Envelope, position: Position): void {
    const again = { ...sentAgain(message, this.options.runId), sentAt: message.sentAt };
    const count = this.ledger.begin(position);
    const isNeedless = () => this.selection.isNeedless(again, envelope);
    this.sending.add(again, isNeedless, (outcome) => count(this.selection.settled(again, envelope, outcome)));
  }

  /** After a requested stop, the failures that the stop causes are not reported. */
  private fail(reason: unknown): void {
    if (!this.options.signal.aborted) this.failure ??= { reason };
    this.stopping.abort();
  }
}
