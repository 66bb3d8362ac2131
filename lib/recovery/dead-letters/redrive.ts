import type { Clock } from '../../clock.ts';
import type { Pace } from '../../queue/pace.ts';
import { idsOf, type Letter } from './letter.ts';
import type { LetterQueue } from './letter-queue.ts';
import { callsFor, messageFor, runIdOf } from './resend.ts';
import { type Hands, visit } from './visit.ts';

/** Why a letter is left where it is, or that it is moved. */
export type Choice = 'move' | 'finished' | 'hopeless' | 'not selected';

export interface Redriving {
  runId: string;
  /** For letters that were received together, in their order. */
  choose: (letters: readonly Letter[]) => Promise<Choice[]>;
  pace: Pick<Pace, 'take'>;
  clock: Clock;
  /** Nothing is moved; what would be is counted. */
  isDryRun: boolean;
  /** Stops after the letters that are under way. */
  signal: AbortSignal;
  /** Told after each few letters. */
  onProgress?: (tally: Tally) => void;
}

/** What has become of the letters. */
export interface Tally {
  moved: number;
  left: Record<Exclude<Choice, 'move'>, number>;
  /** Moved by this very run, failed again meanwhile, and left now. */
  back: number;
  /** What the function's queue did not take: still where they were, with what is behind them in their groups. */
  refused: { letter: Letter; problem: string }[];
  behindRefused: number;
  /** Taken by the queue, and not deleted here: they will be sent once more by whoever redrives them. */
  twice: Letter[];
  /** Not come to. */
  beyond: number;
}

export function newTally(): Tally {
  const left = { finished: 0, hopeless: 0, 'not selected': 0 };
  return { moved: 0, left, back: 0, refused: [], behindRefused: 0, twice: [], beyond: 0 };
}

/**
 * Moves letters back to their function's queue: puts a message on the queue, and deletes the letter only when the queue has
 * taken it. Whoever dies in between has lost nothing; that one letter of each group is then sent twice. Within a group each
 * letter is deleted before the next one is sent, so they arrive in their order.
 */
export async function redrive(queue: LetterQueue, options: Redriving, tally = newTally()): Promise<Tally> {
  const run = new Run(queue, options, tally);
  const { beyond } = await visit(queue, (letters, hands) => run.take(letters, hands), {
    signal: options.signal,
    elapsedMs: () => options.clock.elapsedMs(),
  });
  tally.beyond = beyond;
  return tally;
}

class Run {
  private readonly queue: LetterQueue;
  private readonly options: Redriving;
  private readonly tally: Tally;
  /** The ids that the queue gave to what has no run id in it. */
  private readonly sentIds = new Set<string>();
  /** Groups of which something could not be moved: what is behind it must not overtake it. */
  private readonly stuck = new Set<string>();

  constructor(queue: LetterQueue, options: Redriving, tally: Tally) {
    this.queue = queue;
    this.options = options;
    this.tally = tally;
  }

  async take(letters: Letter[], hands: Hands): Promise<void> {
    const foreign = letters.filter((letter) => !this.isOwn(letter));
    this.tally.back += letters.length - foreign.length;
    const choices = await this.options.choose(foreign);
    const chosen = foreign.filter((_, index) => choices[index] === 'move');
    for (const choice of choices) if (choice !== 'move') this.tally.left[choice] += 1;
    if (this.options.isDryRun) this.tally.moved += chosen.length;
    else await this.moveAll(chosen, hands);
    this.options.onProgress?.(this.tally);
  }

  /** What fails again at once would go round in circles for as long as the run lasts. */
  private isOwn(letter: Letter): boolean {
    return runIdOf(letter.body) === this.options.runId || idsOf(letter).some((id) => this.sentIds.has(id));
  }

  /** The first of each group, then the second of each, and so on. */
  private async moveAll(letters: readonly Letter[], hands: Hands): Promise<void> {
    const groups = [...Map.groupBy(letters, ({ groupId }) => groupId).values()];
    for (let place = 0; groups.some((group) => place < group.length); place += 1) {
      const next = groups.flatMap((group) => group[place] ?? []);
      const free = next.filter(({ groupId }) => !this.stuck.has(groupId));
      this.tally.behindRefused += next.length - free.length;
      // Those that share a group of the queue they go to arrive in the order of their calls.
      for (const together of callsFor(free)) await this.moveInTime(together, hands);
    }
  }

  private async moveInTime(letters: readonly Letter[], hands: Hands): Promise<void> {
    const { pace, signal } = this.options;
    for (let start = 0; start < letters.length; ) {
      const count = await pace.take(letters.length - start, signal);
      if (count === 0) return;
      await this.move(letters.slice(start, start + count), hands);
      start += count;
    }
  }

  private async move(letters: readonly Letter[], hands: Hands): Promise<void> {
    const { runId } = this.options;
    const messages = letters.map((letter) => messageFor(letter, runId));
    const answers = await this.queue.send(messages);
    const taken: Letter[] = [];
    for (const [index, letter] of letters.entries()) {
      const answer = answers[index] ?? { problem: 'no answer' };
      if ('problem' in answer) {
        this.tally.refused.push({ letter, problem: answer.problem });
        this.stuck.add(letter.groupId);
        continue;
      }
      if (runIdOf(messages[index]?.body ?? '') !== runId) this.sentIds.add(answer.messageId);
      taken.push(letter);
    }
    if (taken.length > 0) await this.removeAll(taken, hands);
  }

  private async removeAll(taken: readonly Letter[], hands: Hands): Promise<void> {
    this.tally.moved += taken.length;
    let kept: readonly Letter[] = taken;
    try {
      kept = await this.queue.remove(taken);
    } finally {
      for (const letter of taken) {
        if (!kept.includes(letter)) hands.drop(letter);
        else this.tally.twice.push(letter);
      }
    }
    for (const { groupId } of kept) this.stuck.add(groupId);
  }
}
