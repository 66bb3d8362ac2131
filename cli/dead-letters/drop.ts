import { dropLetters } from '../../lib/recovery/dead-letters/drop.ts';
import { finished, hopeless } from '../../lib/recovery/dead-letters/judge.ts';
import type { LetterQueue } from '../../lib/recovery/dead-letters/letter-queue.ts';
import type { Answers } from './answers.ts';
import type { Examined } from './examine.ts';
import { type Found, find, type Looking, onEachQueue, printMissed } from './list.ts';
import type { Queues, Selected } from './options.ts';
import { counted, countsOf, describe } from './text.ts';

export interface Dropping {
  /** Only what is done or gone; only what is hopeless; either, or all there is. */
  onlyDone: boolean;
  onlyHopeless: boolean;
  /** Without them nobody is asked. */
  answers: Answers | undefined;
}

/** What has become of it, over all rounds. */
interface Dropped {
  /** How many, by function. */
  removed: Map<string, number>;
  /** The ids of what was to be removed and is still there. */
  left: Set<string>;
  missed: Found['missed'];
  isConfirmed: boolean;
}

/** Deletes what was listed, and confirmed where somebody is asked, and nothing that has come since. */
export async function drop(opened: Queues, selected: Selected, looking: Looking, dropping: Dropping): Promise<void> {
  const dropped: Dropped = { removed: new Map(), left: new Set(), missed: new Map(), isConfirmed: true };
  const { signal } = looking;
  try {
    await dropInRounds(opened, selected, looking, dropping, dropped);
  } finally {
    if (!signal.aborted) printMissed(dropped.missed);
    const removed = [...dropped.removed.values()].reduce((total, count) => total + count, 0);
    console.log(`${counted(removed)} removed from ${opened.deployment.name}`);
  }
  failUnlessAll(dropped.left.size, dropped.isConfirmed, signal.aborted);
}

/** What is behind others in its group shows when those are gone: only for that there is another round. */
async function dropInRounds(
  opened: Queues,
  selected: Selected,
  looking: Looking,
  dropping: Dropping,
  dropped: Dropped,
) {
  const before = new Date(Math.min(selected.selection.before?.getTime() ?? Number.POSITIVE_INFINITY, Date.now()));
  // Whoever is asked sees what has come since the first look; where nobody is, it stays.
  const later = dropping.answers ? selected : { ...selected, selection: { ...selected.selection, before } };
  const most = (name: string) => looking.most(name) - (dropped.removed.get(name) ?? 0);
  let queues: readonly LetterQueue[] = opened.queues;
  for (let round = 1; queues.length > 0; round += 1) {
    const found = await find({ ...opened, queues }, round === 1 ? selected : later, { ...looking, most });
    for (const [name, missed] of found.missed) dropped.missed.set(name, missed);
    const chosen = found.all.filter((each) => isChosen(each, dropping));
    for (const { letter } of chosen) dropped.left.add(letter.messageId);
    dropped.isConfirmed = looking.signal.aborted || (await confirm(opened, chosen, dropping));
    if (!dropped.isConfirmed || looking.signal.aborted) return;
    const fewer = await remove(queues, chosen, looking.signal, dropped);
    queues = queues.filter(({ function: name }) => {
      const behind = found.missed.get(name)?.behind ?? 0;
      return fewer.has(name) && behind > 0 && most(name) > 0 && !looking.signal.aborted;
    });
  }
}

function failUnlessAll(left: number, isConfirmed: boolean, isStopped: boolean): void {
  const these = left === 1 ? '1 dead letter is' : `${left} dead letters are`;
  if (isStopped) throw new Error('stopped: the remaining dead letters are still there');
  if (!isConfirmed) throw new Error(`not confirmed: ${these} still there. --yes skips the confirmation`);
  if (left > 0) throw new Error(`${these} still there, perhaps in use by another command: run it again`);
}

function isChosen({ finding: { state } }: Examined, { onlyDone, onlyHopeless }: Dropping): boolean {
  if (!onlyDone && !onlyHopeless) return true;
  return (onlyDone && finished.has(state)) || (onlyHopeless && hopeless.has(state));
}

/** What is removed is listed even where nobody is asked: nothing else would tell of it afterwards. */
async function confirm({ deployment }: Queues, chosen: readonly Examined[], { answers }: Dropping): Promise<boolean> {
  for (const line of describe(chosen, new Date())) console.error(line);
  if (!answers || chosen.length === 0) return true;
  const states = countsOf(chosen.map(({ finding }) => finding.state));
  const question = `Remove ${counted(chosen.length)} of ${deployment.name} for good (${states})?`;
  return answers.confirm(question, `remove ${chosen.length}`);
}

/** Answers the functions of whose letters there are fewer now. */
async function remove(
  queues: readonly LetterQueue[],
  chosen: readonly Examined[],
  signal: AbortSignal,
  { removed, left }: Dropped,
): Promise<Set<string>> {
  const fewer = new Set<string>();
  await onEachQueue(queues, async (queue) => {
    const { function: name } = queue;
    const theirs = chosen.map(({ letter }) => letter).filter((letter) => letter.function === name);
    const dropped = await dropLetters(queue, theirs, { signal });
    removed.set(name, (removed.get(name) ?? 0) + dropped.removed.length);
    for (const { messageId } of dropped.removed) left.delete(messageId);
    if (dropped.removed.length > 0) fewer.add(name);
  });
  return fewer;
}
