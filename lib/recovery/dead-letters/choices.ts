import { readEnvelope } from '../../queue/envelope.ts';
import type { Choice, RedriveCounts } from './counts.ts';
import { idsOf, type Letter } from './letter.ts';

/** For letters that were received together, in their order. */
export type Choose = (letters: readonly Letter[]) => Promise<Choice[]>;

/** What one run is to do with the letters of a queue. */
export class Choices {
  private readonly runId: string;
  private readonly choose: Choose;
  private readonly counts: RedriveCounts;
  /** Of letters that are still there: one that comes again is neither judged nor counted anew. */
  private readonly known = new Map<string, Choice | 'back'>();
  /** The ids that the queue gave to what has no run id in it. */
  private readonly sentIds = new Set<string>();

  constructor(runId: string, choose: Choose, counts: RedriveCounts) {
    this.runId = runId;
    this.choose = choose;
    this.counts = counts;
  }

  /** Those that are to be moved; the others are counted. */
  async toMove(letters: readonly Letter[]): Promise<Letter[]> {
    await this.judge(letters.filter(({ messageId }) => !this.known.has(messageId)));
    return letters.filter(({ messageId }) => this.known.get(messageId) === 'move');
  }

  /** The queue has taken this message, and called it so. */
  noteSent(body: string, messageId: string): void {
    if (!this.isOfThisRun(body)) this.sentIds.add(messageId);
  }

  /** It has been deleted. */
  forget({ messageId }: Pick<Letter, 'messageId'>): void {
    this.known.delete(messageId);
  }

  private async judge(letters: readonly Letter[]): Promise<void> {
    const foreign = letters.filter((letter) => !this.isOwn(letter));
    const choices = foreign.length > 0 ? await this.choose(foreign) : [];
    for (const letter of letters) {
      const choice = choices[foreign.indexOf(letter)] ?? 'back';
      this.known.set(letter.messageId, choice);
      if (choice === 'back') this.counts.back += 1;
      else if (choice !== 'move') this.counts.left[choice] += 1;
    }
  }

  private isOfThisRun(body: string): boolean {
    return readEnvelope(body).origin.runId === this.runId;
  }

  /** What fails again at once would go round in circles for as long as the run lasts. */
  private isOwn(letter: Letter): boolean {
    return this.isOfThisRun(letter.body) || idsOf(letter).some((id) => this.sentIds.has(id));
  }
}
