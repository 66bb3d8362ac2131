import { type DeadLetter, type Receipt, receiptOf } from './dead-letter.ts';
import { type DeadLetterQueue, maxBatchSize } from './dead-letter-queue.ts';

/** How long messages stay hidden from other commands if this one dies. */
export const hiddenSeconds = 120;
const hiddenMs = hiddenSeconds * 1000;
const renewAfterMs = hiddenMs / 3;
/** A message that was hidden longer ago may be received by another command before a call about it reaches SQS. */
const surelyHiddenMs = 100_000;

interface Held {
  deadLetter: Receipt;
  hiddenAtMs: number;
}

/** The dead letters that this command has received, and that SQS therefore hides from others. */
export class ReceivedMessages {
  private readonly queue: DeadLetterQueue;
  private readonly elapsedMs: () => number;
  private readonly held = new Map<string, Held>();
  /** How often messages were made visible again early, to be received again. */
  returns = 0;

  constructor(queue: DeadLetterQueue, elapsedMs: () => number) {
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

  /** Returns what was received, and as `fresh` what was not held already. */
  async receive(): Promise<{ deadLetters: DeadLetter[]; fresh: DeadLetter[] }> {
    // The call may take long, and it is unknown from which moment of it SQS counts.
    const hiddenAtMs = this.elapsedMs();
    const deadLetters = await this.queue.receive(hiddenSeconds);
    const fresh = deadLetters.filter(({ messageId }) => !this.held.has(messageId));
    // Only the newest receipt is valid.
    for (const deadLetter of deadLetters)
      this.held.set(deadLetter.messageId, { deadLetter: receiptOf(deadLetter), hiddenAtMs });
    return { deadLetters, fresh };
  }

  /** It has been deleted. */
  drop({ messageId }: Pick<Receipt, 'messageId'>): void {
    this.held.delete(messageId);
  }

  /** True if no other command can have it now. */
  isSure({ messageId }: Pick<Receipt, 'messageId'>): boolean {
    const held = this.held.get(messageId);
    return held !== undefined && this.ageOf(held) <= surelyHiddenMs;
  }

  /** Extends the time in which no other command can receive them. A message that is no longer sure stays so. */
  async renew(): Promise<void> {
    const due = [...this.held.values()].filter(
      (each) => this.ageOf(each) >= renewAfterMs && this.isSure(each.deadLetter),
    );
    for (let start = 0; start < due.length; start += maxBatchSize) {
      const deadLetters = due.slice(start, start + maxBatchSize).map(({ deadLetter }) => deadLetter);
      const nowMs = this.elapsedMs();
      const lost = await this.queue.hide(deadLetters, hiddenSeconds);
      for (const deadLetter of deadLetters) {
        const hiddenAtMs = lost.includes(deadLetter) ? Number.NEGATIVE_INFINITY : nowMs;
        this.held.set(deadLetter.messageId, { deadLetter, hiddenAtMs });
      }
    }
  }

  /** Makes these groups visible again: the next receiver, perhaps this command, gets them from their first message on. */
  async giveBack(groups: ReadonlySet<string>): Promise<void> {
    this.returns += 1;
    await this.show(this.deadLetters.filter(({ groupId }) => groups.has(groupId)));
  }

  /** Makes all of them visible to others again. */
  async release(): Promise<void> {
    await this.show(this.deadLetters);
  }

  private get deadLetters(): Receipt[] {
    return [...this.held.values()].map(({ deadLetter }) => deadLetter);
  }

  /** Where that fails, they become visible when their timeout ends. */
  private async show(deadLetters: readonly Receipt[]): Promise<void> {
    for (const deadLetter of deadLetters) this.drop(deadLetter);
    // Last ones first, so that a later message of a group is never visible before an earlier one.
    const lastFirst = [...deadLetters].reverse();
    try {
      for (let start = 0; start < lastFirst.length; start += maxBatchSize) {
        await this.queue.hide(lastFirst.slice(start, start + maxBatchSize), 0);
      }
    } catch {}
  }

  private ageOf({ hiddenAtMs }: Held): number {
    return this.elapsedMs() - hiddenAtMs;
  }
}
