import { Choices, nothingIncluded } from '../../lib/recovery/dead-letters/choices.ts';
import { type DeadLetterState, finished, unprocessable } from '../../lib/recovery/dead-letters/diagnose.ts';
import { documentOf } from '../dead-letters/document.ts';
import { drop } from '../dead-letters/drop.ts';
import { type FindOptions, type Found, findDeadLetters, printMissed } from '../dead-letters/find-dead-letters.ts';
import { type DeadLetterOptions, openQueues, type Queues, selectedBy } from '../dead-letters/options.ts';
import { stopSignal } from '../dead-letters/stop-signal.ts';
import { counted, countsOf, describe } from '../dead-letters/text.ts';
import { exitCodes } from '../exit-codes.ts';
import { Interrupted } from '../interrupted.ts';
import { UsageError } from '../parse/usage-error.ts';
import { ConfirmationPrompt } from '../terminal/confirmation-prompt.ts';
import { documentText } from '../terminal/document.ts';
import { type DocumentOptions, formOf } from '../terminal/document-option.ts';
import { say } from '../terminal/say.ts';

interface CommonOptions extends DeadLetterOptions, DocumentOptions {
  limit: number;
  logs: boolean;
}

/** Lists dead letters. */
export async function list(options: CommonOptions): Promise<void> {
  await withQueues(options, options.logs, async (opened, selected, looking) => {
    const form = formOf(options);
    const found = await findDeadLetters(opened, selected, looking);
    const { all, missed } = found;
    if (form) console.log(documentText(all.map(documentOf), form));
    else for (const line of describe(all, new Date())) say(line);
    if (looking.signal.aborted) throw new Interrupted(`stopped: the list is incomplete, with ${counted(all.length)}`);
    if (!form) for (const line of summaryOf(found, opened.deployment.name)) say(line);
    printMissed(missed);
    if (all.some(({ diagnosis }) => diagnosis.state === 'open')) process.exitCode ??= exitCodes.found;
  });
}

export interface DropOptions extends CommonOptions {
  done?: true | undefined;
  unprocessable?: true | undefined;
  all?: true | undefined;
  yes?: true | undefined;
  dryRun?: true | undefined;
}

/** Deletes dead letters. */
export async function dropDeadLetters(options: DropOptions): Promise<void> {
  const states = statesToDrop(options);
  const { yes: isConfirmed = false, dryRun: isDryRun = false } = options;
  // Without a confirmation nobody reads why they failed, so the logs are not searched.
  await withQueues(options, options.logs && !isConfirmed, async (opened, selected, looking) => {
    const answers = isConfirmed || isDryRun ? undefined : new ConfirmationPrompt(looking.signal);
    const dropping = { states, answers, isDryRun, form: formOf(options) };
    await drop(opened, selected, looking, dropping).finally(() => answers?.close());
  });
}

async function withQueues(
  options: CommonOptions,
  withLogs: boolean,
  work: (opened: Queues, selected: ReturnType<typeof selectedBy>, looking: FindOptions) => Promise<void>,
): Promise<void> {
  const selected = selectedBy(options);
  const opened = await openQueues(options, selected);
  try {
    await work(opened, selected, { limit: () => options.limit, signal: stopSignal(), withLogs });
  } finally {
    opened.close();
  }
}

/** Undefined means every state. Nothing is dropped because an option was forgotten. */
function statesToDrop({ done, unprocessable: futile, all }: DropOptions): ReadonlySet<DeadLetterState> | undefined {
  if (all && (done || futile)) throw new UsageError('use --all, or --done and --unprocessable, not both');
  if (all) return undefined;
  if (done || futile) return new Set([...(done ? finished : []), ...(futile ? unprocessable : [])]);
  throw new UsageError(
    'say which dead letters to drop: --done, --unprocessable, or --all for every one that matches, including work not yet done',
  );
}

function summaryOf({ all, others, missed, unread }: Found, name: string): string[] {
  const beside = others > 0 ? [`${counted(others)} that do not match the filter, such as --cluster`] : [];
  if (all.length > 0) {
    const states = all.map(({ diagnosis }) => diagnosis.state);
    return [`${counted(all.length)} in ${name}: ${countsOf(states)}`, ...linesOfRedrive(all), ...beside];
  }
  const isUnknown = unread.length > 0 || [...missed.values()].some(({ elsewhere }) => elsewhere > 0);
  if (isUnknown) return [`no dead letter of ${name} can be read now`, ...beside];
  return others > 0 ? [`no such dead letters in ${name}`, ...beside] : [`no dead letters in ${name}`];
}

function linesOfRedrive(all: Found['all']): string[] {
  const choices = new Choices(nothingIncluded);
  const chosen = all.map(({ subject, diagnosis }) => choices.next(subject, diagnosis));
  const moved = chosen.filter((choice) => choice === 'move').length;
  const deletions = chosen.filter((choice) => choice === 'deletion').length;
  return [
    `longshore redrive would send ${moved} of them again, and leave ${all.length - moved} where they are`,
    ...(deletions > 0 ? [`it leaves requests to delete a Bucket without --include deletions: ${deletions}`] : []),
  ];
}
