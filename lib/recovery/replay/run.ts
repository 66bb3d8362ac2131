import { randomBytes } from 'node:crypto';
import { readerOf } from './archive-reader.ts';
import type { Means } from './means.ts';
import { type Beginning, openRecord } from './open.ts';
import { type Place, placeOf } from './position.ts';
import { ProgressSaver } from './progress-saver.ts';
import { type ReplayRecord, recordText } from './record.ts';
import { Replay } from './replay.ts';
import type { Summary } from './summary.ts';

export interface RunOptions {
  /** A new run, or the id of one that was interrupted. */
  begin: Beginning | { resume: string };
  isDryRun: boolean;
  ratePerSecond?: number | undefined;
  skipDamaged?: boolean | undefined;
}

/** A replay that can be interrupted: its progress is stored beside the archive. */
export class Run {
  readonly isDryRun: boolean;
  private readonly record: ReplayRecord;
  private readonly replay: Replay;
  private readonly saver: ProgressSaver;
  /** True if it has completed. */
  isDone: boolean;

  private constructor(record: ReplayRecord, options: RunOptions, means: Means) {
    const { ratePerSecond, skipDamaged = false, isDryRun } = options;
    const { source, records, clock, signal, offer, ...rest } = means;
    this.isDryRun = isDryRun;
    this.isDone = record.isDone;
    this.record = record;
    this.replay = new Replay({
      ...rest,
      ...record,
      archive: readerOf(source, clock, signal),
      offer: isDryRun ? undefined : offer,
      clock,
      signal,
      ratePerSecond,
      skipDamaged,
      since: record,
    });
    const write = (text: string) => records.write(record.runId, text);
    this.saver = new ProgressSaver(clock, isDryRun ? async () => {} : write, () => recordText(this.now()));
  }

  /** Nothing is sent before it is certain that the run can be resumed. */
  static async open(options: RunOptions, means: Means): Promise<Run> {
    const newRunId = () => runIdAt(means.clock.now());
    const record = await openRecord(options.begin, newRunId, means).catch((error: unknown) => {
      throw means.signal.aborted ? new Error('stopped before it began: nothing was sent', { cause: error }) : error;
    });
    const run = new Run(record, options, means);
    await run.saver.keep();
    const { problem } = run.saver;
    if (problem === undefined) return run;
    throw new Error(
      `the progress of the replay cannot be saved in ${means.records.place}, so nothing was sent: ${problem}. Allow s3:PutObject there`,
    );
  }

  get runId(): string {
    return this.record.runId;
  }

  get wish() {
    return this.record.wish;
  }

  get summary(): Summary {
    return this.replay.summary;
  }

  get replayed(): number {
    return this.replay.replayed;
  }

  get place(): Place {
    return placeOf(this.wish, this.replay.position);
  }

  /** The reason why it would resume from an earlier position, if it did so now. */
  get unkept(): string | undefined {
    return this.saver.problem;
  }

  /** Returns true if it completed. A run that was interrupted, or has failed, can be resumed. */
  async run(): Promise<boolean> {
    if (this.isDone) return true;
    const work = this.replay.run().then((isDone) => {
      this.isDone = isDone;
      return isDone;
    });
    return this.saver.during(work);
  }

  private now(): ReplayRecord {
    return { ...this.record, ...this.replay.settled, isDone: this.isDone };
  }
}

/** It contains the time at which the run began, and is unique. */
function runIdAt(now: Date): string {
  const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  return `replay-${time}-${randomBytes(3).toString('hex')}`;
}
