import type { Command } from './command.ts';
import { ConfirmationPrompt } from './dead-letters/confirmation-prompt.ts';
import { drop } from './dead-letters/drop.ts';
import {
  type FindOptions,
  type Found,
  findDeadLetters,
  isLeftOut,
  printMissed,
} from './dead-letters/find-dead-letters.ts';
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
import { readCount, readWithNames } from './options.ts';
import { UsageError } from './usage-error.ts';

const defaultMax = 1_000;
const maxOfAll = 10_000;

const described = {
  ...deadLetterOptions,
  most: { type: 'string' },
  json: { type: 'boolean' },
  'no-logs': { type: 'boolean' },
  done: { type: 'boolean' },
  hopeless: { type: 'boolean' },
  yes: { type: 'boolean' },
} as const;

/** Lists dead letters, or deletes them. */
export const dlq: Command = {
  summary: 'list dead letters, or delete them',
  usage: `dlq [options]
       longshore dlq drop [options]

Lists dead letters: what failed, why, and the current state of its object.
'drop' deletes dead letters permanently, after a confirmation.

${deploymentUsage}
${deadLetterUsage}
  --most <n>                     maximum number of dead letters to list or delete per queue: 1-${maxOfAll} (default ${defaultMax})
  --no-logs                      do not search CloudWatch logs for errors
  --json                         print one JSON object per dead letter (not with drop)
  --done                         only dead letters whose work is done or whose object is gone (with drop)
  --hopeless                     only dead letters that can only fail again (with drop; in addition to --done)
  --yes                          delete without a confirmation (with drop); still lists what is deleted`,
  run,
};

type Given = ReturnType<typeof readWithNames<typeof described>>['values'];

async function run(given: string[]): Promise<void> {
  const { values, names } = readWithNames(given, described, 1);
  const [action] = names;
  if (action !== undefined && action !== 'drop') throw new UsageError(`unknown command dlq ${action}`);
  refuseMisplaced(values, action);
  const selected = selectedBy(values, new Date());
  const most = values.most === undefined ? defaultMax : readCount('most', values.most, 1, maxOfAll);
  const opened = await openQueues(values, selected);
  const signal = stopSignal();
  try {
    // Without a confirmation nobody reads why they failed, so the logs are not searched.
    const looking = { most: () => most, signal, withLogs: !values['no-logs'] && !values.yes };
    if (action === undefined) return await list(opened, selected, looking, values);
    const { done: onlyDone = false, hopeless: onlyHopeless = false, yes } = values;
    const answers = yes ? undefined : new ConfirmationPrompt(signal);
    await drop(opened, selected, looking, { onlyDone, onlyHopeless, answers }).finally(() => answers?.close());
  } finally {
    opened.close();
  }
}

function refuseMisplaced(values: Given, action: string | undefined): void {
  const ofDrop = ['done', 'hopeless', 'yes'] as const;
  const ofList = ['json'] as const;
  const misplaced = (action === 'drop' ? ofList : ofDrop).find((name) => values[name] !== undefined);
  if (misplaced)
    throw new UsageError(`--${misplaced} ${action === 'drop' ? 'cannot' : 'can only'} be used with dlq drop`);
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
  const states = all.map(({ diagnosis }) => diagnosis.state);
  const leftOut = states.filter(isLeftOut).length;
  const beside = others > 0 ? [`${counted(others)} that do not match the filter, such as --cluster`] : [];
  if (all.length > 0) {
    return [
      `${counted(all.length)} in ${name}: ${countsOf(states)}`,
      `longshore redrive would send ${all.length - leftOut} of them again, and leave ${leftOut} where they are`,
      ...beside,
    ];
  }
  const isUnknown = unread.length > 0 || [...missed.values()].some(({ elsewhere }) => elsewhere > 0);
  if (isUnknown) return [`no dead letter of ${name} can be read now`, ...beside];
  return others > 0 ? [`no such dead letters in ${name}`, ...beside] : [`no dead letters in ${name}`];
}
