import { finished, hopeless, type State } from '../../lib/recovery/dead-letters/judge.ts';
import type { Letter } from '../../lib/recovery/dead-letters/letter.ts';
import type { LetterQueue } from '../../lib/recovery/dead-letters/letter-queue.ts';
import { listLetters, type Missed } from '../../lib/recovery/dead-letters/list.ts';
import { isSelected, type Selection } from '../../lib/recovery/dead-letters/selection.ts';
import { LookedInto } from './clusters.ts';
import { type Examined, examineAll } from './examine.ts';
import { functions } from './functions.ts';
import { type Logged, readLogs } from './logs.ts';
import type { Queues, Selected } from './options.ts';
import { heldElsewhere, shown } from './text.ts';

export interface Looking {
  /** No more of the queue of this function. */
  most: (functionName: string) => number;
  withLogs: boolean;
  signal: AbortSignal;
}

export interface Found {
  all: Examined[];
  /** Letters that were not had, by function. */
  missed: Map<string, Missed>;
  /** How many there are beside those that were meant. */
  others: number;
  /** The functions whose dead letters could not be read. */
  unread: string[];
}

const noLogs: Logged = { failures: new Map(), problems: [] };

/** Reads the letters that are meant, gives them back, and then takes its time to find out about them. */
export async function find({ queues, deployment }: Queues, selected: Selected, looking: Looking): Promise<Found> {
  const { letters, ...rest } = await lettersIn(queues, selected.selection, looking);
  const { signal } = looking;
  const clusters = new LookedInto(selected.contexts);
  try {
    const logged = looking.withLogs ? await readLogs(letters, deployment.queues, signal) : noLogs;
    const cluster = clusters.get.bind(clusters);
    const surroundings = { functions, cluster, served: deployment.clusters, now: () => new Date() };
    const all = await examineAll(letters, surroundings, logged);
    for (const problem of [...logged.problems, ...clusters.problems.values()]) console.error(shown(problem));
    return { all, ...rest };
  } finally {
    clusters.close();
  }
}

async function lettersIn(queues: readonly LetterQueue[], selection: Selection, { most, signal }: Looking) {
  const letters: Letter[] = [];
  const missed = new Map<string, Missed>();
  let others = 0;
  const read = async (queue: LetterQueue) => {
    const isMeant = (letter: Letter) => isSelected(letter, selection, functions);
    const listing = await listLetters(queue, { isMeant, most: most(queue.function), signal });
    for (const each of listing.letters) letters.push(each);
    others += listing.others;
    missed.set(queue.function, listing);
  };
  const unread = await onEachQueue(queues, read);
  return { letters, missed, others, unread };
}

/**
 * A queue that cannot be read must not keep the others from being read; but it is said, and nothing looks whole then. Answers
 * the functions whose it is.
 */
export async function onEachQueue(
  queues: readonly LetterQueue[],
  work: (queue: LetterQueue) => Promise<void>,
): Promise<string[]> {
  const ends = await Promise.allSettled(queues.map(work));
  const problems = ends.flatMap((end, index) => {
    if (end.status === 'fulfilled') return [];
    const name = queues[index]?.function ?? '';
    return [{ name, problem: `${name}: ${problemOf(end.reason)}` }];
  });
  if (problems.length > 0 && problems.length === queues.length) throw new Error(problems[0]?.problem);
  for (const { problem } of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  return problems.map(({ name }) => name);
}

function problemOf(reason: unknown): string {
  const isGone = reason instanceof Error && /QueueDoesNotExist|NonExistentQueue/.test(reason.name);
  if (isGone) return 'its queue is missing: see longshore queues, and recreate it with longshore queues --recreate';
  return shown(String(reason).replace(/^Error: /, ''));
}

/** Whether a redrive leaves it where it is, unless it is told otherwise. */
export function isLeftOut(state: State): boolean {
  return finished.has(state) || hopeless.has(state);
}

export function printMissed(missed: ReadonlyMap<string, Missed>): void {
  for (const [name, { behind, above, large = 0, elsewhere }] of missed) {
    const parts = [
      [behind, 'more that SQS does not hand out now, because they are behind others of their group'],
      [above, 'more above --most'],
      [large, 'more than can be read at once, because these are large: handle these first, and run this again'],
      [elsewhere, `${heldElsewhere}: run this again then`],
    ] as const;
    for (const [count, what] of parts) {
      if (count > 0) console.error(`${name}: about ${count} ${what} (the count of SQS can be a minute old)`);
    }
  }
}
