import type { OutgoingMessage } from '../../../../lib/queue/message-parts.ts';
import type { DeadLetter, Receipt } from '../../../../lib/recovery/dead-letters/dead-letter.ts';
import type { DeadLetterQueue } from '../../../../lib/recovery/dead-letters/dead-letter-queue.ts';

interface Kept {
  deadLetter: DeadLetter;
  hiddenUntil: number;
}

/**
 * A dead-letter queue as AWS describes it, which the SQS in this process is not in one respect: several letters of a group
 * are handed out together, and then none of it until all of these are deleted or visible. Its time is what a test says.
 */
export class FakeDeadLetterQueue implements DeadLetterQueue {
  readonly function = 'match-transfer';
  readonly sent: OutgoingMessage[] = [];
  readonly hidden: { ids: string[]; seconds: number }[] = [];
  seconds = 0;
  private kept: Kept[] = [];
  private receipts = 0;

  put(...deadLetters: DeadLetter[]): void {
    this.kept.push(...deadLetters.map((deadLetter) => ({ deadLetter, hiddenUntil: 0 })));
  }

  get left(): string[] {
    return this.kept.map(({ deadLetter }) => deadLetter.messageId);
  }

  get visible(): string[] {
    return this.kept.filter((each) => this.isVisible(each)).map(({ deadLetter }) => deadLetter.messageId);
  }

  async receive(hiddenSeconds: number): Promise<DeadLetter[]> {
    const locked = new Set(
      this.kept.filter((each) => !this.isVisible(each)).map(({ deadLetter }) => deadLetter.groupId),
    );
    const free = this.kept.filter(({ deadLetter }) => !locked.has(deadLetter.groupId)).slice(0, 10);
    return free.map((each) => {
      this.receipts += 1;
      each.deadLetter = {
        ...each.deadLetter,
        receiptHandle: String(this.receipts),
        deliveries: each.deadLetter.deliveries + 1,
      };
      each.hiddenUntil = this.seconds + hiddenSeconds;
      return each.deadLetter;
    });
  }

  async hide(deadLetters: readonly Receipt[], seconds: number): Promise<Receipt[]> {
    this.hidden.push({ ids: deadLetters.map(({ messageId }) => messageId), seconds });
    // Whoever is late has nothing in their hands, even if nobody else has it.
    const those = this.those(deadLetters).filter((each) => !this.isVisible(each));
    for (const each of those) each.hiddenUntil = this.seconds + seconds;
    const found = those.map(({ deadLetter }) => deadLetter.messageId);
    return deadLetters.filter(({ messageId }) => !found.includes(messageId));
  }

  async send(messages: readonly OutgoingMessage[]) {
    this.sent.push(...messages);
    return messages.map((_, index) => ({ messageId: `sent-${this.sent.length}-${index}` }));
  }

  async remove(deadLetters: readonly Receipt[]): Promise<Receipt[]> {
    const those = new Set(this.those(deadLetters));
    const found = [...those].map(({ deadLetter }) => deadLetter.messageId);
    this.kept = this.kept.filter((each) => !those.has(each));
    return deadLetters.filter(({ messageId }) => !found.includes(messageId));
  }

  async counts() {
    return { waiting: this.visible.length, hidden: this.kept.length - this.visible.length };
  }

  private isVisible({ hiddenUntil }: Kept): boolean {
    return hiddenUntil <= this.seconds;
  }

  /** A receipt is good until the letter is handed out again. */
  private those(deadLetters: readonly Receipt[]): Kept[] {
    return this.kept.filter(({ deadLetter }) =>
      deadLetters.some(({ receiptHandle }) => receiptHandle === deadLetter.receiptHandle),
    );
  }
}

export function deadLetter(messageId: string, different: Partial<DeadLetter> = {}): DeadLetter {
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
export function deadLettersOf(group: string, count: number): DeadLetter[] {
  return Array.from({ length: count }, (_, index) => deadLetter(`${group}${index + 1}`, { groupId: group }));
}
