import { readEnvelope } from '../../queue/envelope.ts';
import { type DeadLetter, idsOf } from './dead-letter.ts';
import type { Choice, RedriveCounts } from './redrive-counts.ts';

/** Decides about dead letters that were received together, in their order. */
export type Choose = (deadLetters: readonly DeadLetter[]) => Promise<Choice[]>;

/** Remembers what one run is to do with each dead letter of a queue. */
export class RememberedChoices {
  private readonly runId: string;
  private readonly choose: Choose;
  private readonly counts: RedriveCounts;
  /** Of dead letters that still exist: one that is received again is neither chosen nor counted anew. */
  private readonly known = new Map<string, Choice | 'back'>();
  /** The ids that the queue gave to messages without a run id. */
  private readonly sentIds = new Set<string>();

  constructor(runId: string, choose: Choose, counts: RedriveCounts) {
    this.runId = runId;
    this.choose = choose;
    this.counts = counts;
  }

  /** Returns those to be moved, and counts the others. */
  async toMove(deadLetters: readonly DeadLetter[]): Promise<DeadLetter[]> {
    await this.judge(deadLetters.filter(({ messageId }) => !this.known.has(messageId)));
    return deadLetters.filter(({ messageId }) => this.known.get(messageId) === 'move');
  }

  /** The queue has accepted this message under this id. */
  noteSent(body: string, messageId: string): void {
    if (!this.isOfThisRun(body)) this.sentIds.add(messageId);
  }

  /** It has been deleted. */
  forget({ messageId }: Pick<DeadLetter, 'messageId'>): void {
    this.known.delete(messageId);
  }

  private async judge(deadLetters: readonly DeadLetter[]): Promise<void> {
    const foreign = deadLetters.filter((deadLetter) => !this.isOwn(deadLetter));
    const choices = foreign.length > 0 ? await this.choose(foreign) : [];
    for (const deadLetter of deadLetters) {
      const choice = choices[foreign.indexOf(deadLetter)] ?? 'back';
      this.known.set(deadLetter.messageId, choice);
      if (choice === 'back') this.counts.back += 1;
      else if (choice !== 'move') this.counts.left[choice] += 1;
    }
  }

  private isOfThisRun(body: string): boolean {
    return readEnvelope(body).origin.runId === this.runId;
  }

  /** A message that fails again at once would circulate for as long as the run lasts. */
  private isOwn(deadLetter: DeadLetter): boolean {
    return this.isOfThisRun(deadLetter.body) || idsOf(deadLetter).some((id) => this.sentIds.has(id));
  }
}
