import type { DeadLetterQueue } from '../../lib/recovery/dead-letters/dead-letter-queue.ts';
import type { DeadLetterState } from '../../lib/recovery/dead-letters/diagnose.ts';
import { dropDeadLetters } from '../../lib/recovery/dead-letters/drop.ts';
import { Interrupted } from '../interrupted.ts';
import type { ConfirmationPrompt } from '../terminal/confirmation-prompt.ts';
import { documentText } from '../terminal/document.ts';
import type { DocumentForm } from '../terminal/document-option.ts';
import type { Examined } from './examine.ts';
import { type FindOptions, type Found, findDeadLetters, onEachQueue, printMissed } from './find-dead-letters.ts';
import type { Queues, Selected } from './options.ts';
import { counted, countsOf, describe } from './text.ts';

export interface DropOptions {
  /** Which states are dropped; without it, every state. */
  states: ReadonlySet<DeadLetterState> | undefined;
  /** Without it nothing is confirmed. */
  answers: ConfirmationPrompt | undefined;
  /** Only lists what would be dropped. */
  isDryRun?: boolean;
  form?: DocumentForm | undefined;
}

/** Over all rounds. */
interface DropProgress {
  /** How many were dropped, by function. */
  counts: Map<string, number>;
  /** The ids of dead letters that should have been dropped and are still there. */
  left: Set<string>;
  missed: Found['missed'];
  isConfirmed: boolean;
}

/** Deletes the dead letters that were listed, and confirmed unless confirmation is skipped, and none that arrived since. */
export async function drop(
  opened: Queues,
  selected: Selected,
  looking: FindOptions,
  dropping: DropOptions,
): Promise<void> {
  const dropped: DropProgress = { counts: new Map(), left: new Set(), missed: new Map(), isConfirmed: true };
  const { signal } = looking;
  try {
    await dropInRounds(opened, selected, looking, dropping, dropped);
  } finally {
    if (!signal.aborted) printMissed(dropped.missed);
    if (!dropping.isDryRun) report(opened.deployment.name, dropped, dropping.form);
  }
  if (dropping.isDryRun && !signal.aborted) {
    report(opened.deployment.name, dropped, dropping.form, dropped.left.size);
    return;
  }
  failUnlessAll(dropped.left.size, dropped.isConfirmed, signal.aborted);
}

function report(name: string, { counts, left }: DropProgress, form?: DocumentForm, wouldBe?: number): void {
  const count = [...counts.values()].reduce((total, each) => total + each, 0);
  const isDryRun = wouldBe !== undefined;
  const document = {
    deployment: name,
    dryRun: isDryRun,
    dropped: count,
    left: left.size,
    functions: [...counts].map(([functionName, dropped]) => ({ function: functionName, dropped })),
  };
  if (form) console.log(documentText(document, form));
  else
    console.log(
      isDryRun ? `${counted(wouldBe)} would be dropped from ${name}` : `${counted(count)} dropped from ${name}`,
    );
}

/** Dead letters behind others in their group become visible when those are gone: further rounds are for them alone. */
async function dropInRounds(
  opened: Queues,
  selected: Selected,
  looking: FindOptions,
  dropping: DropOptions,
  dropped: DropProgress,
) {
  const before = new Date(Math.min(selected.selection.before?.getTime() ?? Number.POSITIVE_INFINITY, Date.now()));
  // With a confirmation, the user sees what arrived since the first round; without one, it stays.
  const later = dropping.answers ? selected : { ...selected, selection: { ...selected.selection, before } };
  const limit = (name: string) => looking.limit(name) - (dropped.counts.get(name) ?? 0);
  let queues: readonly DeadLetterQueue[] = opened.queues;
  for (let round = 1; queues.length > 0; round += 1) {
    const found = await findDeadLetters({ ...opened, queues }, round === 1 ? selected : later, { ...looking, limit });
    for (const [name, missed] of found.missed) dropped.missed.set(name, missed);
    const chosen = found.all.filter(({ diagnosis }) => dropping.states?.has(diagnosis.state) ?? true);
    for (const { deadLetter } of chosen) dropped.left.add(deadLetter.messageId);
    dropped.isConfirmed = looking.signal.aborted || (await confirm(opened, chosen, dropping));
    if (!dropped.isConfirmed || looking.signal.aborted || dropping.isDryRun) return;
    const fewer = await dropChosen(queues, chosen, looking.signal, dropped);
    queues = queues.filter(({ function: name }) => {
      const behind = found.missed.get(name)?.behind ?? 0;
      return fewer.has(name) && behind > 0 && limit(name) > 0 && !looking.signal.aborted;
    });
  }
}

function failUnlessAll(left: number, isConfirmed: boolean, isStopped: boolean): void {
  const these = left === 1 ? '1 dead letter is' : `${left} dead letters are`;
  if (isStopped) throw new Interrupted('stopped: the remaining dead letters are still there');
  if (!isConfirmed) throw new Error(`not confirmed: ${these} still there. --yes skips the confirmation`);
  if (left > 0) throw new Error(`${these} still there, perhaps in use by another command: run it again`);
}

/** Lists what is dropped even without a confirmation: there is no other record of it afterwards. */
async function confirm(
  { deployment }: Queues,
  chosen: readonly Examined[],
  { answers }: DropOptions,
): Promise<boolean> {
  for (const line of describe(chosen, new Date())) console.error(line);
  if (!answers || chosen.length === 0) return true;
  const states = countsOf(chosen.map(({ diagnosis }) => diagnosis.state));
  const question = `Drop ${counted(chosen.length)} of ${deployment.name} for good (${states})?`;
  return answers.confirm(question, `drop ${chosen.length}`);
}

/** Returns the functions that now have fewer dead letters. */
async function dropChosen(
  queues: readonly DeadLetterQueue[],
  chosen: readonly Examined[],
  signal: AbortSignal,
  { counts, left }: DropProgress,
): Promise<Set<string>> {
  const fewer = new Set<string>();
  await onEachQueue(queues, async (queue) => {
    const { function: name } = queue;
    const theirs = chosen.map(({ deadLetter }) => deadLetter).filter((deadLetter) => deadLetter.function === name);
    const dropped = await dropDeadLetters(queue, theirs, { signal });
    counts.set(name, (counts.get(name) ?? 0) + dropped.removed.length);
    for (const { messageId } of dropped.removed) left.delete(messageId);
    if (dropped.removed.length > 0) fewer.add(name);
  });
  return fewer;
}
