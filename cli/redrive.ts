import { randomBytes } from 'node:crypto';
import { RateLimiter } from '../lib/queue/rate-limiter.ts';
import type { DeadLetter } from '../lib/recovery/dead-letters/dead-letter.ts';
import { finished, hopeless } from '../lib/recovery/dead-letters/diagnose.ts';
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
import { readCount, readOptions } from './options.ts';
import { UsageError } from './usage-error.ts';

const defaultRate = 50;
const maxRate = 1_000;

const described = {
  ...deadLetterOptions,
  rate: { type: 'string' },
  'dry-run': { type: 'boolean' },
  done: { type: 'string' },
  hopeless: { type: 'string' },
} as const;

/** Moves dead letters back to their queues. */
export const redrive: Command = {
  summary: 'move dead letters back to their queues',
  usage: `redrive [options]

Moves dead letters back to their queues. Those of one object keep their order.

${deploymentUsage}
${deadLetterUsage}
  --done skip|include            dead letters whose work is done or whose object is gone (default skip)
  --hopeless skip|include        dead letters that can only fail again: malformed, or of an unknown cluster (default skip)
  --rate <n>                     dead letters per second: 1-${maxRate} (default ${defaultRate})
  --dry-run                      count, but move nothing`,
  run,
};

async function run(given: string[]): Promise<void> {
  const values = readOptions(given, described);
  const selected = selectedBy(values, new Date());
  const rate = values.rate === undefined ? defaultRate : readCount('rate', values.rate, 1, maxRate);
  const included = { done: isIncluded('done', values.done), hopeless: isIncluded('hopeless', values.hopeless) };
  const opened = await openQueues(values, selected);
  const clusters = new ReadableClusters(selected.contexts);
  const signal = stopSignal();
  const isDryRun = values['dry-run'] ?? false;
  const output = new RedriveOutput(process.stderr, isDryRun);
  const shared = {
    runId: `redrive.${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}.${randomBytes(4).toString('hex')}`,
    choose: (deadLetters: readonly DeadLetter[]) => choose(deadLetters, { selected, opened, clusters, included }),
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
  included: { done: boolean; hopeless: boolean };
}

async function choose(deadLetters: readonly DeadLetter[], choosing: ChooseContext): Promise<Choice[]> {
  const { opened, clusters, included } = choosing;
  const { selection } = choosing.selected;
  const selected = deadLetters.filter((deadLetter) => isSelected(deadLetter, selection, functions));
  const cluster = clusters.get.bind(clusters);
  const context = { functions, cluster, servedClusters: opened.deployment.clusters, now: () => new Date() };
  const diagnoses = await diagnosesOf(selected, context);
  return deadLetters.map((deadLetter) => {
    if (!selected.includes(deadLetter)) return 'not selected';
    const state = diagnoses.get(diagnosisKeyOf(deadLetter, subjectOf(deadLetter, functions)))?.state ?? 'unknown';
    if (!included.done && finished.has(state)) return 'finished';
    if (!included.hopeless && hopeless.has(state)) return 'hopeless';
    return 'move';
  });
}

function isIncluded(option: string, value: string | undefined): boolean {
  if (value === undefined || value === 'skip') return false;
  if (value === 'include') return true;
  throw new UsageError(`--${option} must be skip or include, but is ${value}`);
}
