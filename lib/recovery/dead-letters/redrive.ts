import type { RateLimiter } from '../../queue/rate-limiter.ts';
import type { Clock } from '../../runtime/clock.ts';
import { Choices, type Choose } from './choices.ts';
import { emptyCounts, type RedriveCounts } from './counts.ts';
import type { HeldLetters } from './held-letters.ts';
import { type Letter, type Receipt, receiptOf } from './letter.ts';
import type { LetterQueue } from './letter-queue.ts';
import { callsFor, messageFor } from './resend.ts';
import { visit } from './visit.ts';

export interface Redriving {
  runId: string;
  choose: Choose;
  rateLimiter: Pick<RateLimiter, 'take'>;
  clock: Clock;
  /** Nothing is moved; what would be is counted. */
  isDryRun: boolean;
  /** Stops after the letters that are under way. */
  signal: AbortSignal;
  /** Told after each few letters. */
  onProgress?: (counts: RedriveCounts) => void;
}

/**
 * Moves letters back to their function's queue: puts a message on the queue, and deletes the letter only when the queue has
 * taken it. Whoever dies in between has lost nothing; that one letter of each group is then sent twice. Within a group each
 * letter is deleted before the next one is sent, so they arrive in their order. None is sent that somebody else may have.
 */
export async function redrive(queue: LetterQueue, options: Redriving, counts = emptyCounts()): Promise<RedriveCounts> {
  const run = new Run(queue, options, counts);
  const missed = await visit(queue, (letters, held) => run.take(letters, held), {
    signal: options.signal,
    elapsedMs: () => options.clock.elapsedMs(),
  });
  return Object.assign(counts, missed);
}

class Run {
  private readonly queue: LetterQueue;
  private readonly options: Redriving;
  private readonly counts: RedriveCounts;
  private readonly choices: Choices;
  /** Groups of which something could not be moved, and how what is behind it counts, which must not overtake it. */
  private readonly stuck = new Map<string, 'behindRefused' | 'behindTwice'>();
  /** The ids of letters whose turn came too late, until they come again. */
  private readonly late = new Set<string>();

  constructor(queue: LetterQueue, options: Redriving, counts: RedriveCounts) {
    this.queue = queue;
    this.options = options;
    this.counts = counts;
    this.choices = new Choices(options.runId, options.choose, counts);
  }

  async take(letters: Letter[], held: HeldLetters): Promise<void> {
    for (const { messageId } of letters) this.late.delete(messageId);
    const chosen = await this.choices.toMove(letters);
    if (this.options.isDryRun) this.counts.moved += chosen.length;
    else await this.moveAll(chosen, held);
    this.counts.late = this.late.size;
    this.options.onProgress?.(this.counts);
  }

  /** The first of each group, then the second of each, and so on. */
  private async moveAll(letters: readonly Letter[], held: HeldLetters): Promise<void> {
    const groups = [...Map.groupBy(letters, ({ groupId }) => groupId).values()];
    const lateGroups = new Set<string>();
    for (let place = 0; groups.some((group) => place < group.length); place += 1) {
      const free = this.freeOf(groups.flatMap((group) => group[place] ?? []));
      // Those that share a group of the queue they go to arrive in the order of their calls.
      for (const together of callsFor(free)) await this.moveInTime(together, held, lateGroups);
    }
    // They come again, in their order, if nobody else has them.
    if (lateGroups.size > 0) await held.giveBack(lateGroups);
  }

  private freeOf(letters: readonly Letter[]): Letter[] {
    return letters.filter(({ groupId }) => {
      const behind = this.stuck.get(groupId);
      if (behind) this.counts[behind] += 1;
      return behind === undefined;
    });
  }

  private async moveInTime(letters: readonly Letter[], held: HeldLetters, lateGroups: Set<string>): Promise<void> {
    const { rateLimiter, signal } = this.options;
    for (let start = 0; start < letters.length; ) {
      const count = await rateLimiter.take(letters.length - start, signal);
      if (count === 0) return;
      // Only here, as those who choose and the pace may both have taken their time.
      await held.renew();
      const next = letters.slice(start, start + count);
      const sure = next.filter((letter) => held.isSure(letter) && !lateGroups.has(letter.groupId));
      for (const { messageId, groupId } of next.filter((letter) => !sure.includes(letter))) {
        this.late.add(messageId);
        lateGroups.add(groupId);
      }
      if (sure.length > 0) await this.move(sure, held);
      start += count;
    }
  }

  private async move(letters: readonly Letter[], held: HeldLetters): Promise<void> {
    const messages = letters.map((letter) => messageFor(letter, this.options.runId));
    const answers = await this.queue.send(messages);
    const taken: Receipt[] = [];
    for (const [index, letter] of letters.entries()) {
      const answer = answers[index] ?? { problem: 'no answer' };
      if ('problem' in answer) {
        this.counts.refused.push({ letter: receiptOf(letter), problem: answer.problem });
        this.stuck.set(letter.groupId, 'behindRefused');
        continue;
      }
      this.choices.noteSent(messages[index]?.body ?? '', answer.messageId);
      taken.push(receiptOf(letter));
    }
    if (taken.length > 0) await this.removeAll(taken, held);
  }

  private async removeAll(taken: readonly Receipt[], held: HeldLetters): Promise<void> {
    this.counts.moved += taken.length;
    let kept: readonly Receipt[] = taken;
    try {
      kept = await this.queue.remove(taken);
    } finally {
      for (const letter of taken.filter((each) => !kept.includes(each))) {
        held.drop(letter);
        this.choices.forget(letter);
      }
      this.counts.twice.push(...kept);
    }
    for (const { groupId } of kept) this.stuck.set(groupId, 'behindTwice');
  }
}
