import type { DeadLetter } from '../../lib/recovery/dead-letters/dead-letter.ts';
import type { DeadLetterQueue } from '../../lib/recovery/dead-letters/dead-letter-queue.ts';
import { ForeseenBuckets } from '../../lib/recovery/dead-letters/foreseen-buckets.ts';
import { listDeadLetters, type Missed } from '../../lib/recovery/dead-letters/list.ts';
import { isSelected, type Selection } from '../../lib/recovery/dead-letters/selection.ts';
import { plainRefusals } from '../connect/plain-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { note } from '../terminal/say.ts';
import { type Examined, examineAll } from './examine.ts';
import { functions } from './known-functions.ts';
import { type Logged, readLogs } from './logs.ts';
import { openerFor } from './opener.ts';
import { type Queues, type Selected, servedContexts } from './options.ts';
import { ReadableClusters } from './readable-clusters.ts';
import { heldElsewhere, shown } from './text.ts';

export interface FindOptions {
  /** The maximum for the queue of this function. */
  limit: (functionName: string) => number;
  withLogs: boolean;
  signal: AbortSignal;
}

export interface Found {
  all: Examined[];
  /** Dead letters that were not received, by function. */
  missed: Map<string, Missed>;
  /** How many do not match the selection. */
  others: number;
  /** The functions whose dead letters could not be read. */
  unread: string[];
}

const noLogs: Logged = { failures: new Map(), problems: [] };

/** Reads the selected dead letters and gives them back before it examines them, which takes longer. */
export async function findDeadLetters(
  { queues, deployment }: Queues,
  selected: Selected,
  looking: FindOptions,
): Promise<Found> {
  const { signal } = looking;
  const clusters = new ReadableClusters(servedContexts(selected.contexts, deployment), openerFor(deployment, selected));
  try {
    await clusters.confirm();
    const { deadLetters, ...rest } = await deadLettersIn(queues, selected.selection, looking);
    const logged = looking.withLogs ? await readLogs(deadLetters, deployment.queues, signal) : noLogs;
    const cluster = clusters.get.bind(clusters);
    const foreseen = new ForeseenBuckets();
    const context = { functions, cluster, servedClusters: deployment.clusters, foreseen, now: () => new Date() };
    const all = await examineAll(deadLetters, context, logged);
    for (const problem of [...logged.problems, ...clusters.problems.values()]) note(shown(plainRefusals(problem)));
    return { all, ...rest };
  } finally {
    clusters.close();
  }
}

async function deadLettersIn(queues: readonly DeadLetterQueue[], selection: Selection, { limit, signal }: FindOptions) {
  const deadLetters: DeadLetter[] = [];
  const missed = new Map<string, Missed>();
  let others = 0;
  const read = async (queue: DeadLetterQueue) => {
    const isMeant = (deadLetter: DeadLetter) => isSelected(deadLetter, selection, functions);
    const listing = await listDeadLetters(queue, { isMeant, most: limit(queue.function), signal });
    for (const each of listing.deadLetters) deadLetters.push(each);
    others += listing.others;
    missed.set(queue.function, listing);
  };
  const unread = await onEachQueue(queues, read);
  return { deadLetters, missed, others, unread };
}

/**
 * A queue that cannot be read must not keep the others from being read; it is reported, and the command fails. Returns the
 * functions of such queues.
 */
export async function onEachQueue(
  queues: readonly DeadLetterQueue[],
  work: (queue: DeadLetterQueue) => Promise<void>,
): Promise<string[]> {
  const ends = await Promise.allSettled(queues.map(work));
  const problems = ends.flatMap((end, index) => {
    if (end.status === 'fulfilled') return [];
    const name = queues[index]?.function ?? '';
    return [{ name, problem: `${name}: ${problemOf(end.reason)}` }];
  });
  if (problems.length > 0 && problems.length === queues.length) throw new Error(problems[0]?.problem);
  for (const { problem } of problems) note(problem);
  if (problems.length > 0) process.exitCode = exitCodes.failed;
  return problems.map(({ name }) => name);
}

function problemOf(reason: unknown): string {
  const isGone = reason instanceof Error && /QueueDoesNotExist|NonExistentQueue/.test(reason.name);
  if (isGone) return 'its queue is missing: see longshore queues, and recreate it with longshore queues --recreate';
  return shown(String(reason).replace(/^Error: /, ''));
}

export function printMissed(missed: ReadonlyMap<string, Missed>): void {
  for (const [name, { behind, above, large = 0, elsewhere }] of missed) {
    const parts = [
      [behind, 'more that SQS does not hand out now, because they are behind others of their group'],
      [above, 'more above --limit'],
      [large, 'more than can be read at once, because these are large: handle these first, and run this again'],
      [elsewhere, `${heldElsewhere}: run this again then`],
    ] as const;
    for (const [count, what] of parts) {
      if (count > 0) note(`${name}: about ${count} ${what} (the count of SQS can be a minute old)`);
    }
  }
}
