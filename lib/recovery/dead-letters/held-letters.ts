import { type Letter, type Receipt, receiptOf } from './letter.ts';
import { atOnce, type LetterQueue } from './letter-queue.ts';

/** How long letters stay hidden from other commands when this one dies. */
export const hiddenSeconds = 120;
const hiddenMs = hiddenSeconds * 1000;
const renewAfterMs = hiddenMs / 3;
/** A letter that was hidden longer ago may be received by another command before a call about it reaches SQS. */
const surelyHiddenMs = 100_000;

interface Held {
  letter: Receipt;
  hiddenAtMs: number;
}

/** The letters that this command has received, and that SQS therefore hides from others. */
export class HeldLetters {
  private readonly queue: LetterQueue;
  private readonly elapsedMs: () => number;
  private readonly held = new Map<string, Held>();
  /** How often letters were made visible again early, to be received again. */
  returns = 0;

  constructor(queue: LetterQueue, elapsedMs: () => number) {
    this.queue = queue;
    this.elapsedMs = elapsedMs;
  }

  get count(): number {
    return this.held.size;
  }

  /** The number of them that SQS still hides. */
  get hidden(): number {
    return [...this.held.values()].filter((each) => this.ageOf(each) < hiddenMs).length;
  }

  /** Returns what was received, and what of it was not held already. */
  async receive(): Promise<{ letters: Letter[]; fresh: Letter[] }> {
    // The call may take long, and it is unknown from which moment of it SQS counts.
    const hiddenAtMs = this.elapsedMs();
    const letters = await this.queue.receive(hiddenSeconds);
    const fresh = letters.filter(({ messageId }) => !this.held.has(messageId));
    // Only the newest receipt is good for anything.
    for (const letter of letters) this.held.set(letter.messageId, { letter: receiptOf(letter), hiddenAtMs });
    return { letters, fresh };
  }

  /** It has been deleted. */
  drop({ messageId }: Pick<Receipt, 'messageId'>): void {
    this.held.delete(messageId);
  }

  /** Whether nobody else can have it at this moment. */
  isSure({ messageId }: Pick<Receipt, 'messageId'>): boolean {
    const held = this.held.get(messageId);
    return held !== undefined && this.ageOf(held) <= surelyHiddenMs;
  }

  /** Whoever takes long must not find letters in somebody else's hands as well. What is not sure any more stays so. */
  async renew(): Promise<void> {
    const due = [...this.held.values()].filter((each) => this.ageOf(each) >= renewAfterMs && this.isSure(each.letter));
    for (let start = 0; start < due.length; start += atOnce) {
      const letters = due.slice(start, start + atOnce).map(({ letter }) => letter);
      const nowMs = this.elapsedMs();
      const lost = await this.queue.hide(letters, hiddenSeconds);
      for (const letter of letters) {
        const hiddenAtMs = lost.includes(letter) ? Number.NEGATIVE_INFINITY : nowMs;
        this.held.set(letter.messageId, { letter, hiddenAtMs });
      }
    }
  }

  /** Shows these groups again: whoever receives them next, perhaps we, has them from their first letter on. */
  async giveBack(groups: ReadonlySet<string>): Promise<void> {
    this.returns += 1;
    await this.show(this.letters.filter(({ groupId }) => groups.has(groupId)));
  }

  /** Shows all of them to others again. */
  async release(): Promise<void> {
    await this.show(this.letters);
  }

  private get letters(): Receipt[] {
    return [...this.held.values()].map(({ letter }) => letter);
  }

  /** Where that fails they show themselves when their time is up. */
  private async show(letters: readonly Receipt[]): Promise<void> {
    for (const letter of letters) this.drop(letter);
    // The last ones first, so that at no moment a later letter of a group is to be had before an earlier one.
    const lastFirst = [...letters].reverse();
    try {
      for (let start = 0; start < lastFirst.length; start += atOnce) {
        await this.queue.hide(lastFirst.slice(start, start + atOnce), 0);
      }
    } catch {}
  }

  private ageOf({ hiddenAtMs }: Held): number {
    return this.elapsedMs() - hiddenAtMs;
  }
}
