import type { RedriveCounts } from '../../lib/recovery/dead-letters/redrive-counts.ts';
import { Interrupted } from '../interrupted.ts';
import { counted, heldElsewhere, shown } from './text.ts';

type CountsOfQueues = ReadonlyMap<string, RedriveCounts>;

interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Without a terminal, a line at this interval shows in a log that it goes on. */
const lineEveryMs = 10_000;
const shownRefusals = 5;

/** The progress and the summary of a redrive. */
export class RedriveOutput {
  private readonly output: Output;
  private readonly isDryRun: boolean;
  private printedAtMs = performance.now();
  private isLineOpen = false;

  constructor(output: Output, isDryRun: boolean) {
    this.output = output;
    this.isDryRun = isDryRun;
  }

  progress(countsOfQueues: CountsOfQueues): void {
    const text = `${sum(countsOfQueues, ({ moved }) => moved)} ${this.verb}, ${sum(countsOfQueues, leftOf)} left`;
    if (this.output.isTTY) {
      this.output.write(`\r${text}`);
      this.isLineOpen = true;
    } else if (performance.now() - this.printedAtMs > lineEveryMs) {
      this.printedAtMs = performance.now();
      this.output.write(`${text}\n`);
    }
  }

  end(): void {
    if (this.isLineOpen) this.output.write('\n');
  }

  summary(countsOfQueues: CountsOfQueues, runId: string): string[] {
    const lines = [...countsOfQueues].flatMap(([name, counts]) => this.linesOf(name, counts));
    const moved = sum(countsOfQueues, (counts) => counts.moved);
    const run = this.isDryRun ? '' : ` by run ${runId}`;
    return [...lines, `${counted(moved)} ${this.verb}${moved > 0 ? run : ''}`];
  }

  /** The same for programs. */
  document(countsOfQueues: CountsOfQueues, runId: string) {
    return {
      run: this.isDryRun ? null : runId,
      dryRun: this.isDryRun,
      moved: sum(countsOfQueues, ({ moved }) => moved),
      functions: [...countsOfQueues].map(([name, counts]) => ({
        function: name,
        moved: counts.moved,
        left: {
          done: counts.left.finished,
          unprocessable: counts.left.unprocessable,
          deletions: counts.left.deletion,
          behindDeletions: counts.left['behind a deletion'],
          notSelected: counts.left['not selected'],
        },
        cameBack: counts.back,
        refused: counts.refused.map(({ deadLetter, problem }) => ({
          messageId: deadLetter.messageId,
          problem: shown(problem),
        })),
        behindRefused: counts.behindRefused,
        sentTwice: counts.twice.length,
        behindSentTwice: counts.behindTwice,
        tooLate: counts.late,
        notHandedOut: counts.beyond,
        heldElsewhere: counts.elsewhere,
      })),
    };
  }

  failUnlessWell(countsOfQueues: CountsOfQueues, isStopped: boolean): void {
    const refused = sum(countsOfQueues, (counts) => counts.refused.length + counts.behindRefused);
    const twice = sum(countsOfQueues, (counts) => counts.twice.length);
    const behindTwice = sum(countsOfQueues, (counts) => counts.behindTwice);
    const late = sum(countsOfQueues, (counts) => counts.late);
    const problems = [
      ...(refused > 0 ? [`${counted(refused)} not taken by their queue, and still in the dead-letter queue`] : []),
      ...(twice > 0 ? [`${counted(twice)} sent and not deleted: they are sent twice if they are redriven again`] : []),
      ...(behindTwice > 0 ? [`${counted(behindTwice)} left behind those, so as not to come before them`] : []),
      ...(late > 0
        ? [`${counted(late)} reached too late, so another command may have them: run the same command again`]
        : []),
      ...(isStopped ? ['stopped: the remaining dead letters are still there: run the same command again'] : []),
    ];
    const text = problems.join('; ');
    if (isStopped) throw new Interrupted(text);
    if (problems.length > 0) throw new Error(text);
  }

  private linesOf(name: string, counts: RedriveCounts): string[] {
    const { moved, left, back, refused, beyond, elsewhere } = counts;
    const parts = [
      [moved, this.verb],
      [left.finished, 'left as done or gone'],
      [left.unprocessable, 'left as unprocessable'],
      [left.deletion, 'left as requests to delete a Bucket (--include deletions moves them)'],
      [left['behind a deletion'], 'left behind those, which they must not overtake'],
      [left['not selected'], 'not selected'],
      [back, 'failed again immediately and came back'],
      [refused.length, 'refused by the queue'],
      [beyond, 'or so not handed out by SQS, because they are behind others of their group'],
      [elsewhere, `or so ${heldElsewhere}`],
    ] as const;
    const said = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
    if (said.length === 0) return [];
    const reasons = refused.slice(0, shownRefusals).map(({ problem }) => `  refused: ${shown(problem)}`);
    return [`${name}: ${said.join(', ')}`, ...reasons];
  }

  private get verb(): string {
    return this.isDryRun ? 'would be moved' : 'moved';
  }
}

function leftOf({ left }: RedriveCounts): number {
  return Object.values(left).reduce((total, count) => total + count, 0);
}

function sum(countsOfQueues: CountsOfQueues, count: (counts: RedriveCounts) => number): number {
  return [...countsOfQueues.values()].reduce((total, counts) => total + count(counts), 0);
}
