import { dropLetters } from '../../lib/recovery/dead-letters/drop.ts';
import { finished, hopeless } from '../../lib/recovery/dead-letters/judge.ts';
import type { Answers } from './answers.ts';
import type { Examined } from './examine.ts';
import { find, type Looking, onEachQueue, tellBeyond } from './list.ts';
import type { Meant, Queues } from './options.ts';
import { counted, countsOf, describe } from './text.ts';

export interface Dropping {
  /** Only what is done or gone; only what is hopeless; either, or all there is. */
  onlyDone: boolean;
  onlyHopeless: boolean;
  /** Without them nobody is asked. */
  answers: Answers | undefined;
}

/** Deletes what the caller has seen and confirmed, and nothing that has come since. */
export async function drop(opened: Queues, meant: Meant, looking: Looking, dropping: Dropping): Promise<void> {
  let removed = 0;
  // What is behind others in its group shows when those are gone.
  for (;;) {
    const { all, beyond } = await find(opened, meant, looking);
    const chosen = all.filter((each) => isChosen(each, dropping));
    const isConfirmed = chosen.length === 0 || (await confirm(opened, chosen, dropping));
    const isOff = !isConfirmed || looking.signal.aborted;
    const count = isOff ? 0 : await remove(opened, chosen, looking.signal);
    removed += count;
    if (count > 0 && beyond.size > 0 && !looking.signal.aborted) continue;
    tellBeyond(beyond);
    console.log(`${counted(removed)} removed from ${opened.deployment.name}`);
    return failUnlessAll(chosen.length - count, isConfirmed, looking.signal.aborted);
  }
}

function failUnlessAll(left: number, isConfirmed: boolean, isStopped: boolean): void {
  const these = left === 1 ? '1 dead letter is' : `${left} dead letters are`;
  if (isStopped) throw new Error('stopped: what was not removed is still there');
  if (!isConfirmed) throw new Error(`not confirmed: ${these} still there. --yes does without a confirmation`);
  if (left > 0) throw new Error(`${these} still there, in use by another command perhaps: call it again`);
}

function isChosen({ finding: { state } }: Examined, { onlyDone, onlyHopeless }: Dropping): boolean {
  if (!onlyDone && !onlyHopeless) return true;
  return (onlyDone && finished.has(state)) || (onlyHopeless && hopeless.has(state));
}

async function confirm({ deployment }: Queues, chosen: readonly Examined[], { answers }: Dropping): Promise<boolean> {
  if (!answers) return true;
  for (const line of describe(chosen, new Date())) console.error(line);
  const states = countsOf(chosen.map(({ finding }) => finding.state));
  const question = `Remove ${counted(chosen.length)} of ${deployment.name} for good (${states})?`;
  return answers.confirm(question, `remove ${chosen.length}`);
}

async function remove({ queues }: Queues, chosen: readonly Examined[], signal: AbortSignal): Promise<number> {
  let removed = 0;
  await onEachQueue(queues, async (queue) => {
    const theirs = chosen.map(({ letter }) => letter).filter((letter) => letter.function === queue.function);
    const dropped = await dropLetters(queue, theirs, { signal });
    removed += dropped.removed.length;
  });
  return removed;
}
