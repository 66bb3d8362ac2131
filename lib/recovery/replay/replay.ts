import type { ArchivedMessage } from '../../archive/line.ts';
import { DamagedSegment, isIn } from '../../archive/read.ts';
import type { Clock } from '../../clock.ts';
import { Progress } from '../../forwarder/progress.ts';
import { sentAgain } from '../../queue/message.ts';
import { Pace } from '../../queue/pace.ts';
import type { Offer } from '../../queue/send.ts';
import type { ArchiveReader } from './archive-reader.ts';
import type { Position } from './position.ts';
import { RecentKeys } from './recent-keys.ts';
import { Sending } from './sending.ts';
import { type Damage, emptySummary, type Summary } from './summary.ts';
import { Tally } from './tally.ts';
import { isMeant, type Subject, subjectOf, type Wish } from './wish.ts';

/** Of so many keys at least it is known whether they have had their message, where one of each is enough. */
const keysRemembered = 50_000;
/** So many messages are let through at a time where there is a rate. */
const mostAtOnce = 10;

export interface ReplayOptions {
  runId: string;
  wish: Wish;
  archive: ArchiveReader;
  /** Who has a queue. */
  functions: readonly string[];
  /** Not given in a dry run, which only counts. */
  offer?: Offer | undefined;
  clock: Clock;
  /** Aborts when the replay is to stop: what is on its way is waited for, and nothing new is begun. */
  signal: AbortSignal;
  ratePerSecond?: number | undefined;
  /** Whether what is left of a damaged segment is left out. Otherwise the replay ends there. */
  skipDamaged?: boolean;
  /** Where an earlier part of the same run has stopped, and what it has counted. */
  since?: { position: Position | undefined; summary: Summary };
  onDamage?: (damage: Damage) => void;
  onTrouble?: (problem: string) => void;
}

/** Puts archived messages onto their queues again: those of each group in the order in which the archive has them. */
export class Replay {
  private readonly options: ReplayOptions;
  private readonly tally: Tally;
  /** What everything before has been taken by its queue, or is counted as left out. */
  private readonly progress: Progress<Position>;
  private readonly sending: Sending;
  private readonly pace: Pace | undefined;
  private readonly keys = new RecentKeys(keysRemembered);
  private readonly functions: ReadonlySet<string>;
  private readonly stopping = new AbortController();
  /** Aborts when nothing new is to be begun, for whichever reason. */
  private readonly signal: AbortSignal;
  private allowed = 0;
  private failure: { reason: unknown } | undefined;

  constructor(options: ReplayOptions) {
    const { clock, since, ratePerSecond, offer = async () => [], onTrouble = () => {} } = options;
    this.options = options;
    this.tally = new Tally(since?.summary ?? emptySummary);
    this.progress = new Progress(since?.position);
    this.functions = new Set(options.functions);
    this.signal = AbortSignal.any([options.signal, this.stopping.signal]);
    this.pace = ratePerSecond === undefined ? undefined : new Pace(ratePerSecond, clock);
    const onFailure = (reason: unknown) => this.fail(reason);
    this.sending = new Sending({ offer, clock, signal: this.signal, onTrouble, onFailure });
  }

  /** How far it has come: nothing before is left to be done. */
  get position(): Position | undefined {
    return this.progress.acknowledged;
  }

  get summary(): Summary {
    return this.tally.summary;
  }

  get replayed(): number {
    return this.tally.replayed;
  }

  /** Whether it came to the end of its range. Throws what ended it before that, when nothing of it is under way any more. */
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
          if (lines <= linesDone) continue;
          const position = { cluster, segment, lines };
          const subject = subjectOf(message.body);
          if (!this.isToSend(message, subject)) this.progress.reach(position, 0, 0);
          else if (await this.mayGoOn()) this.send(message, subject, position);
          if (this.signal.aborted) return;
        }
      }
    } catch (error) {
      if (!(error instanceof DamagedSegment) || !this.options.skipDamaged) throw error;
      const damage = { segment, linesRead: lines, reason: error.reason };
      this.tally.note(damage);
      this.options.onDamage?.(damage);
    }
  }

  /** Whatever is not sent is counted here. */
  private isToSend(message: ArchivedMessage, subject: Subject): boolean {
    const { wish, offer } = this.options;
    if (!isIn(wish, message)) return false;
    if (!isMeant(wish.filter, message, subject)) this.tally.countOther();
    else if (!this.functions.has(message.function)) this.tally.countNoQueue(message.function);
    else if (wish.oncePerKey && this.keys.add(`${message.function} ${message.groupId}`)) this.tally.countRepeated();
    else if (!offer) this.tally.countReplayed(message, subject.kind);
    else return true;
    return false;
  }

  /** Waits until there is room, and it is time. */
  private async mayGoOn(): Promise<boolean> {
    if (this.sending.isFull) await this.sending.room();
    if (this.pace && this.allowed === 0) this.allowed = await this.pace.take(mostAtOnce, this.signal);
    this.allowed -= 1;
    return !this.signal.aborted;
  }

  private send({ sentAt, ...message }: ArchivedMessage, { kind }: Subject, position: Position): void {
    const { function: name } = message;
    const done = this.progress.reach(position, 1, 0);
    this.sending.add(sentAgain(message, this.options.runId), (refusal) => {
      if (refusal === undefined) this.tally.countReplayed({ function: name, sentAt }, kind);
      else this.tally.countRefused(name, refusal);
      done();
    });
  }

  /** Who has been told to stop is not told why what it stopped failed. */
  private fail(reason: unknown): void {
    if (!this.options.signal.aborted) this.failure ??= { reason };
    this.stopping.abort();
  }
}
