import { Choices, nothingIncluded } from '../lib/recovery/dead-letters/choices.ts';
import { type DeadLetterState, finished, unprocessable } from '../lib/recovery/dead-letters/diagnose.ts';
import type { Command } from './command.ts';
import { ConfirmationPrompt } from './dead-letters/confirmation-prompt.ts';
import { drop } from './dead-letters/drop.ts';
import { type FindOptions, type Found, findDeadLetters, printMissed } from './dead-letters/find-dead-letters.ts';
import { jsonLineOf } from './dead-letters/json-line.ts';
import {
  deadLetterOptions,
  deadLetterUsage,
  openQueues,
  type Queues,
  type Selected,
  selectedBy,
} from './dead-letters/options.ts';
import { stopSignal } from './dead-letters/stop-signal.ts';
import { counted, countsOf, describe } from './dead-letters/text.ts';
import { deploymentUsage } from './deployment.ts';
import { readCount, readWithNames, refuseRenamed } from './parse/options.ts';
import { UsageError } from './parse/usage-error.ts';

const defaultLimit = 1_000;
const maxLimit = 10_000;

const described = {
  ...deadLetterOptions,
  limit: { type: 'string' },
  json: { type: 'boolean' },
  'no-logs': { type: 'boolean' },
  done: { type: 'boolean' },
  unprocessable: { type: 'boolean' },
  all: { type: 'boolean' },
  yes: { type: 'boolean' },
} as const;

const limitUsage = (verb: string) =>
  `  --limit <n>                    maximum number of dead letters to ${verb} per queue: 1-${maxLimit} (default ${defaultLimit})
  --no-logs                      do not search CloudWatch logs for errors`;

const dropUsage = `dlq drop --done|--unprocessable|--all [options]

Drops dead letters: deletes them permanently, after a confirmation. Say which to drop:

  --done                         those whose work is done or whose object is gone
  --unprocessable                those that this release and configuration cannot process: malformed, of an unknown
                                 cluster, or from a later release
  --all                          every dead letter that matches, including work not yet done

${deploymentUsage}
${deadLetterUsage}
${limitUsage('drop')}
  --yes                          drop without a confirmation; still lists what is dropped

Examples:
  longshore dlq drop --done --stage production --context main=prod
  longshore dlq drop --all --stage production --function request-bucket --namespace team-a --name reports`;

/** Lists dead letters, or drops them. */
export const dlq: Command = {
  summary: 'list dead letters, or drop them',
  usage: `dlq [list] [options]
       longshore dlq drop --done|--unprocessable|--all [options]

Lists dead letters: what failed, why, and the current state of its object.
'drop' deletes dead letters permanently: see 'longshore dlq drop --help'.

${deploymentUsage}
${deadLetterUsage}
${limitUsage('list')}
  --json                         print one JSON object per dead letter

Examples:
  longshore dlq --stage production --context main=prod
  longshore dlq --stage production --function request-bucket --context main=prod --context edge=shop`,
  usageOf: { drop: dropUsage },
  run,
};

type Given = ReturnType<typeof readWithNames<typeof described>>['values'];

async function run(given: string[]): Promise<void> {
  refuseRenamed(given, { '--most': '--limit', '--hopeless': '--unprocessable' });
  const { values, names } = readWithNames(given, described, 1);
  const [action = 'list'] = names;
  if (action !== 'list' && action !== 'drop') throw new UsageError(`unknown command dlq ${action}`);
  refuseMisplaced(values, action);
  const states = action === 'drop' ? statesToDrop(values) : undefined;
  const selected = selectedBy(values, new Date());
  const limit = values.limit === undefined ? defaultLimit : readCount('limit', values.limit, 1, maxLimit);
  const opened = await openQueues(values, selected);
  const signal = stopSignal();
  try {
    // Without a confirmation nobody reads why they failed, so the logs are not searched.
    const looking = { limit: () => limit, signal, withLogs: !values['no-logs'] && !values.yes };
    if (action === 'list') return await list(opened, selected, looking, values);
    const answers = values.yes ? undefined : new ConfirmationPrompt(signal);
    await drop(opened, selected, looking, { states, answers }).finally(() => answers?.close());
  } finally {
    opened.close();
  }
}

function refuseMisplaced(values: Given, action: 'list' | 'drop'): void {
  const ofDrop = ['done', 'unprocessable', 'all', 'yes'] as const;
  const ofList = ['json'] as const;
  const misplaced = (action === 'drop' ? ofList : ofDrop).find((name) => values[name] !== undefined);
  if (misplaced)
    throw new UsageError(`--${misplaced} ${action === 'drop' ? 'cannot' : 'can only'} be used with dlq drop`);
}

/** Undefined means every state. Nothing is dropped because an option was forgotten. */
function statesToDrop({ done, unprocessable: futile, all }: Given): ReadonlySet<DeadLetterState> | undefined {
  if (all && (done || futile)) throw new UsageError('use --all, or --done and --unprocessable, not both');
  if (all) return undefined;
  if (done || futile) return new Set([...(done ? finished : []), ...(futile ? unprocessable : [])]);
  throw new UsageError(
    'say which dead letters to drop: --done, --unprocessable, or --all for every one that matches, including work not yet done',
  );
}

async function list(opened: Queues, selected: Selected, looking: FindOptions, { json }: Given): Promise<void> {
  const found = await findDeadLetters(opened, selected, looking);
  const { all, missed } = found;
  for (const line of json ? all.map(jsonLineOf) : describe(all, new Date())) console.log(line);
  if (looking.signal.aborted) throw new Error(`stopped: the list is incomplete, with ${counted(all.length)}`);
  if (!json) for (const line of summaryOf(found, opened.deployment.name)) console.log(line);
  printMissed(missed);
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
