import { randomBytes } from 'node:crypto';
import { RateLimiter } from '../lib/queue/rate-limiter.ts';
import { Choices, type Included, nothingIncluded } from '../lib/recovery/dead-letters/choices.ts';
import type { DeadLetter } from '../lib/recovery/dead-letters/dead-letter.ts';
import { ForeseenBuckets } from '../lib/recovery/dead-letters/foreseen-buckets.ts';
import { redrive as redriveQueue } from '../lib/recovery/dead-letters/redrive.ts';
import { type Choice, emptyCounts, type RedriveCounts } from '../lib/recovery/dead-letters/redrive-counts.ts';
import { isSelected } from '../lib/recovery/dead-letters/selection.ts';
import { subjectOf } from '../lib/recovery/dead-letters/subject.ts';
import { realClock } from '../lib/runtime/clock.ts';
import type { Command } from './command.ts';
import { diagnosesOf, diagnosisKeyOf } from './dead-letters/examine.ts';
import { onEachQueue } from './dead-letters/find-dead-letters.ts';
import { functions } from './dead-letters/known-functions.ts';
import {
  deadLetterOptions,
  deadLetterUsage,
  openQueues,
  type Queues,
  type Selected,
  selectedBy,
} from './dead-letters/options.ts';
import { ReadableClusters } from './dead-letters/readable-clusters.ts';
import { RedriveOutput } from './dead-letters/redrive-output.ts';
import { stopSignal } from './dead-letters/stop-signal.ts';
import { shown } from './dead-letters/text.ts';
import { deploymentUsage } from './deployment.ts';
import { readCount, readOptions, refuseRenamed } from './parse/options.ts';
import { UsageError } from './parse/usage-error.ts';

const defaultRate = 50;
const maxRate = 1_000;

const described = {
  ...deadLetterOptions,
  rate: { type: 'string' },
  'dry-run': { type: 'boolean' },
  include: { type: 'string' },
} as const;

/** Moves dead letters back to their queues. */
export const redrive: Command = {
  summary: 'move dead letters back to their queues',
  usage: `redrive [options]

Moves dead letters back to their queues, except those whose work is done, those that cannot be processed, and
requests to delete a Bucket. Those of one object keep their order.

${deploymentUsage}
${deadLetterUsage}
  --include <list>               also move these, separated by commas:
                                 done: the work is done, or the object is gone
                                 unprocessable: malformed, of an unknown cluster, or from a later release
                                 deletions: requests to delete a Bucket, which may delete its data
  --rate <n>                     dead letters per second: 1-${maxRate} (default ${defaultRate})
  --dry-run                      count, but move nothing

Examples:
  longshore redrive --stage production --context main=prod --dry-run
  longshore redrive --stage production --context main=prod --function request-bucket --include deletions`,
  run,
};

async function run(given: string[]): Promise<void> {
  refuseRenamed(given, { '--done': '--include done', '--hopeless': '--include unprocessable' });
  const values = readOptions(given, described);
  const selected = selectedBy(values, new Date());
  const rate = values.rate === undefined ? defaultRate : readCount('rate', values.rate, 1, maxRate);
  const choices = new Choices(includedBy(values.include));
  const foreseen = new ForeseenBuckets();
  const opened = await openQueues(values, selected);
  const clusters = new ReadableClusters(selected.contexts);
  const signal = stopSignal();
  const isDryRun = values['dry-run'] ?? false;
  const output = new RedriveOutput(process.stderr, isDryRun);
  const shared = {
    runId: `redrive.${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}.${randomBytes(4).toString('hex')}`,
    choose: (deadLetters: readonly DeadLetter[]) =>
      choose(deadLetters, { selected, opened, clusters, choices, foreseen }),
    rateLimiter: new RateLimiter(rate, realClock),
    clock: realClock,
    isDryRun,
    signal,
  };
  const countsOfQueues = new Map<string, RedriveCounts>();
  try {
    await onEachQueue(opened.queues, async (queue) => {
      const counts = emptyCounts();
      countsOfQueues.set(queue.function, counts);
      await redriveQueue(queue, { ...shared, onProgress: () => output.progress(countsOfQueues) }, counts);
    });
  } finally {
    clusters.close();
    opened.close();
    output.end();
    for (const problem of clusters.problems.values()) console.error(shown(problem));
    for (const line of output.summary(countsOfQueues, shared.runId)) console.log(line);
  }
  output.failUnlessWell(countsOfQueues, signal.aborted);
}

interface ChooseContext {
  selected: Selected;
  opened: Queues;
  clusters: ReadableClusters;
  /** These two are of the whole run, as requests about one Bucket are not all received together. */
  choices: Choices;
  foreseen: ForeseenBuckets;
}

async function choose(deadLetters: readonly DeadLetter[], choosing: ChooseContext): Promise<Choice[]> {
  const { opened, clusters, choices, foreseen } = choosing;
  const { selection } = choosing.selected;
  const selected = deadLetters.filter((deadLetter) => isSelected(deadLetter, selection, functions));
  const cluster = clusters.get.bind(clusters);
  const context = { functions, cluster, servedClusters: opened.deployment.clusters, foreseen, now: () => new Date() };
  const diagnoses = await diagnosesOf(selected, context);
  return deadLetters.map((deadLetter) => {
    if (!selected.includes(deadLetter)) return 'not selected';
    const subject = subjectOf(deadLetter, functions);
    return choices.next(subject, diagnoses.get(diagnosisKeyOf(deadLetter, subject)) ?? { state: 'unknown' });
  });
}

function includedBy(list: string | undefined): Included {
  const included = { ...nothingIncluded };
  for (const word of list?.split(',') ?? []) {
    if (!isIncludable(word)) {
      const known = Object.keys(included).join(', ');
      throw new UsageError(`--include must be one or more of ${known}, separated by commas; but is ${list}`);
    }
    included[word] = true;
  }
  return included;
}

function isIncludable(word: string): word is keyof Included {
  return Object.hasOwn(nothingIncluded, word);
}
