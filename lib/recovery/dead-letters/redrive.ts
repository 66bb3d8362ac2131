import type { RateLimiter } from '../../queue/rate-limiter.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type DeadLetter, type Receipt, receiptOf } from './dead-letter.ts';
import type { DeadLetterQueue } from './dead-letter-queue.ts';
import { receiveAll } from './receive-all.ts';
import type { ReceivedMessages } from './received-messages.ts';
import { emptyCounts, type RedriveCounts } from './redrive-counts.ts';
import { type Choose, RememberedChoices } from './remembered-choices.ts';
import { batchesFor, messageFor } from './resend.ts';

export interface RedriveOptions {
  runId: string;
  choose: Choose;
  rateLimiter: Pick<RateLimiter, 'take'>;
  clock: Clock;
  /** Moves nothing, and counts what would be moved. */
  isDryRun: boolean;
  /** Stops after the dead letters in progress. */
  signal: AbortSignal;
  /** Called after each few dead letters. */
  onProgress?: (counts: RedriveCounts) => void;
}

/**
 * Moves dead letters back to their function's queue: sends a message, and deletes the dead letter only when the queue has
 * accepted it. A crash in between loses nothing; at most one dead letter of each group is then sent twice. Within a group
 * each is deleted before the next is sent, so they arrive in order. None is sent that another command may hold.
 */
export async function redrive(
  queue: DeadLetterQueue,
  options: RedriveOptions,
  counts = emptyCounts(),
): Promise<RedriveCounts> {
  const run = new Run(queue, options, counts);
  const missed = await receiveAll(queue, (deadLetters, held) => run.take(deadLetters, held), {
    signal: options.signal,
    elapsedMs: () => options.clock.elapsedMs(),
  });
  return Object.assign(counts, missed);
}

class Run {
  private readonly queue: DeadLetterQueue;
  private readonly options: RedriveOptions;
  private readonly counts: RedriveCounts;
  private readonly choices: RememberedChoices;
  /** Groups in which one could not be moved, and how those behind it are counted, which must not overtake it. */
  private readonly stuck = new Map<string, 'behindRefused' | 'behindTwice'>();
  /** The ids of dead letters that were reached too late, until they are received again. */
  private readonly late = new Set<string>();

  constructor(queue: DeadLetterQueue, options: RedriveOptions, counts: RedriveCounts) {
    this.queue = queue;
    this.options = options;
    this.counts = counts;
    this.choices = new RememberedChoices(options.runId, options.choose, counts);
  }

  async take(deadLetters: DeadLetter[], held: ReceivedMessages): Promise<void> {
    for (const { messageId } of deadLetters) this.late.delete(messageId);
    const chosen = await this.choices.toMove(deadLetters);
    if (this.options.isDryRun) this.counts.moved += chosen.length;
    else await this.moveAll(chosen, held);
    this.counts.late = this.late.size;
    this.options.onProgress?.(this.counts);
  }

  /** The first of each group, then the second of each, and so on. */
  private async moveAll(deadLetters: readonly DeadLetter[], held: ReceivedMessages): Promise<void> {
    const groups = [...Map.groupBy(deadLetters, ({ groupId }) => groupId).values()];
    const lateGroups = new Set<string>();
    for (let place = 0; groups.some((group) => place < group.length); place += 1) {
      const free = this.freeOf(groups.flatMap((group) => group[place] ?? []));
      // Those that share a group of the target queue arrive in the order of the calls.
      for (const together of batchesFor(free)) await this.moveInTime(together, held, lateGroups);
    }
    // They are received again, in their order, unless another command gets them.
    if (lateGroups.size > 0) await held.giveBack(lateGroups);
  }

  private freeOf(deadLetters: readonly DeadLetter[]): DeadLetter[] {
    return deadLetters.filter(({ groupId }) => {
      const behind = this.stuck.get(groupId);
      if (behind) this.counts[behind] += 1;
      return behind === undefined;
    });
  }

  private async moveInTime(
    deadLetters: readonly DeadLetter[],
    held: ReceivedMessages,
    lateGroups: Set<string>,
  ): Promise<void> {
    const { rateLimiter, signal } = this.options;
    for (let start = 0; start < deadLetters.length; ) {
      const count = await rateLimiter.take(deadLetters.length - start, signal);
      if (count === 0) return;
      // Only here, as choosing and the rate limit may both have taken long.
      await held.renew();
      const next = deadLetters.slice(start, start + count);
      const sure = next.filter((deadLetter) => held.isSure(deadLetter) && !lateGroups.has(deadLetter.groupId));
      for (const { messageId, groupId } of next.filter((deadLetter) => !sure.includes(deadLetter))) {
        this.late.add(messageId);
        lateGroups.add(groupId);
      }
      if (sure.length > 0) await this.move(sure, held);
      start += count;
    }
  }

  private async move(deadLetters: readonly DeadLetter[], held: ReceivedMessages): Promise<void> {
    const messages = deadLetters.map((deadLetter) => messageFor(deadLetter, this.options.runId));
    const answers = await this.queue.send(messages);
    const taken: Receipt[] = [];
    for (const [index, deadLetter] of deadLetters.entries()) {
      const answer = answers[index] ?? { problem: 'no answer' };
      if ('problem' in answer) {
        this.counts.refused.push({ deadLetter: receiptOf(deadLetter), problem: answer.problem });
        this.stuck.set(deadLetter.groupId, 'behindRefused');
        continue;
      }
      this.choices.noteSent(messages[index]?.body ?? '', answer.messageId);
      taken.push(receiptOf(deadLetter));
    }
    if (taken.length > 0) await this.removeAll(taken, held);
  }

  private async removeAll(taken: readonly Receipt[], held: ReceivedMessages): Promise<void> {
    this.counts.moved += taken.length;
    let kept: readonly Receipt[] = taken;
    try {
      kept = await this.queue.remove(taken);
    } finally {
      for (const deadLetter of taken.filter((each) => !kept.includes(each))) {
        held.drop(deadLetter);
        this.choices.forget(deadLetter);
      }
      this.counts.twice.push(...kept);
    }
    for (const { groupId } of kept) this.stuck.set(groupId, 'behindTwice');
  }
}
