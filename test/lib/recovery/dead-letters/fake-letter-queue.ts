import type { OutgoingMessage } from '../../../../lib/queue/message-parts.ts';
import type { Letter, Receipt } from '../../../../lib/recovery/dead-letters/letter.ts';
import type { LetterQueue } from '../../../../lib/recovery/dead-letters/letter-queue.ts';

interface Kept {
  letter: Letter;
  hiddenUntil: number;
}

/**
 * A dead-letter queue as AWS describes it, which the SQS in this process is not in one respect: several letters of a group
 * are handed out together, and then none of it until all of these are deleted or visible. Its time is what a test says.
 */
export class FakeLetterQueue implements LetterQueue {
  readonly function = 'match-transfer';
  readonly sent: OutgoingMessage[] = [];
  readonly hidden: { ids: string[]; seconds: number }[] = [];
  seconds = 0;
  private kept: Kept[] = [];
  private receipts = 0;

  put(...letters: Letter[]): void {
    this.kept.push(...letters.map((letter) => ({ letter, hiddenUntil: 0 })));
  }

  get left(): string[] {
    return this.kept.map(({ letter }) => letter.messageId);
  }

  get visible(): string[] {
    return this.kept.filter((each) => this.isVisible(each)).map(({ letter }) => letter.messageId);
  }

  async receive(hiddenSeconds: number): Promise<Letter[]> {
    const locked = new Set(this.kept.filter((each) => !this.isVisible(each)).map(({ letter }) => letter.groupId));
    const free = this.kept.filter(({ letter }) => !locked.has(letter.groupId)).slice(0, 10);
    return free.map((each) => {
      this.receipts += 1;
      each.letter = { ...each.letter, receiptHandle: String(this.receipts), deliveries: each.letter.deliveries + 1 };
      each.hiddenUntil = this.seconds + hiddenSeconds;
      return each.letter;
    });
  }

  async hide(letters: readonly Receipt[], seconds: number): Promise<Receipt[]> {
    this.hidden.push({ ids: letters.map(({ messageId }) => messageId), seconds });
    // Whoever is late has nothing in their hands, even if nobody else has it.
    const those = this.those(letters).filter((each) => !this.isVisible(each));
    for (const each of those) each.hiddenUntil = this.seconds + seconds;
    const found = those.map(({ letter }) => letter.messageId);
    return letters.filter(({ messageId }) => !found.includes(messageId));
  }

  async send(messages: readonly OutgoingMessage[]) {
    this.sent.push(...messages);
    return messages.map((_, index) => ({ messageId: `sent-${this.sent.length}-${index}` }));
  }

  async remove(letters: readonly Receipt[]): Promise<Receipt[]> {
    const those = new Set(this.those(letters));
    const found = [...those].map(({ letter }) => letter.messageId);
    this.kept = this.kept.filter((each) => !those.has(each));
    return letters.filter(({ messageId }) => !found.includes(messageId));
  }

  async counts() {
    return { waiting: this.visible.length, hidden: this.kept.length - this.visible.length };
  }

  private isVisible({ hiddenUntil }: Kept): boolean {
    return hiddenUntil <= this.seconds;
  }

  /** A receipt is good until the letter is handed out again. */
  private those(letters: readonly Receipt[]): Kept[] {
    return this.kept.filter(({ letter }) =>
      letters.some(({ receiptHandle }) => receiptHandle === letter.receiptHandle),
    );
  }
}

export function letter(messageId: string, different: Partial<Letter> = {}): Letter {
  return {
    function: 'match-transfer',
    messageId,
    receiptHandle: `never-${messageId}`,
    body: '{}',
    groupId: messageId,
    deduplicationId: `first-${messageId}`,
    sentAt: new Date('2026-11-19T03:00:00Z'),
    firstDeliveredAt: new Date('2026-11-19T03:00:01Z'),
    deliveries: 8,
    reason: undefined,
    ...different,
  };
}

/** Letters with numbers, all of the group. */
export function lettersOf(group: string, count: number): Letter[] {
  return Array.from({ length: count }, (_, index) => letter(`${group}${index + 1}`, { groupId: group }));
}
