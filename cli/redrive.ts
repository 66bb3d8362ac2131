import { randomBytes } from 'node:crypto';
import { RateLimiter } from '../lib/queue/rate-limiter.ts';
import { type Choice, emptyCounts, type RedriveCounts } from '../lib/recovery/dead-letters/counts.ts';
import { finished, hopeless } from '../lib/recovery/dead-letters/judge.ts';
import type { Letter } from '../lib/recovery/dead-letters/letter.ts';
import { redrive as redriveQueue } from '../lib/recovery/dead-letters/redrive.ts';
import { isSelected } from '../lib/recovery/dead-letters/selection.ts';
import { subjectOf } from '../lib/recovery/dead-letters/subject.ts';
import { realClock } from '../lib/runtime/clock.ts';
import type { Command } from './command.ts';
import { LookedInto } from './dead-letters/clusters.ts';
import { findingsFor, placeOf } from './dead-letters/examine.ts';
import { functions } from './dead-letters/functions.ts';
import { onEachQueue } from './dead-letters/list.ts';
import {
  letterOptions,
  letterUsage,
  openQueues,
  type Queues,
  type Selected,
  selectedBy,
} from './dead-letters/options.ts';
import { RedriveOutput } from './dead-letters/redrive-output.ts';
import { stopSignal } from './dead-letters/stop.ts';
import { shown } from './dead-letters/text.ts';
import { deploymentUsage } from './deployment.ts';
import { readCount, readOptions } from './options.ts';
import { UsageError } from './usage-error.ts';

const defaultRate = 50;
const maxRate = 1_000;

const described = {
  ...letterOptions,
  rate: { type: 'string' },
  'dry-run': { type: 'boolean' },
  done: { type: 'string' },
  hopeless: { type: 'string' },
} as const;

/** Moves dead letters back to the queues that they come from. */
export const redrive: Command = {
  summary: 'move dead letters back to their queues',
  usage: `redrive [options]

Moves dead letters back to their queues. Those of one object keep their order.

${deploymentUsage}
${letterUsage}
  --done skip|include            letters whose work is done or whose object is gone (default skip)
  --hopeless skip|include        letters that can only fail again: malformed, or of an unknown cluster (default skip)
  --rate <n>                     dead letters per second: 1-${maxRate} (default ${defaultRate})
  --dry-run                      count, but move nothing`,
  run,
};

async function run(given: string[]): Promise<void> {
  const values = readOptions(given, described);
  const selected = selectedBy(values, new Date());
  const rate = values.rate === undefined ? defaultRate : readCount('rate', values.rate, 1, maxRate);
  const including = { done: isIncluded('done', values.done), hopeless: isIncluded('hopeless', values.hopeless) };
  const opened = await openQueues(values, selected);
  const clusters = new LookedInto(selected.contexts);
  const signal = stopSignal();
  const isDryRun = values['dry-run'] ?? false;
  const telling = new RedriveOutput(process.stderr, isDryRun);
  const shared = {
    runId: `redrive.${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}.${randomBytes(4).toString('hex')}`,
    choose: (letters: readonly Letter[]) => choose(letters, { selected, opened, clusters, including }),
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
      await redriveQueue(queue, { ...shared, onProgress: () => telling.progress(countsOfQueues) }, counts);
    });
  } finally {
    clusters.close();
    opened.close();
    telling.end();
    for (const problem of clusters.problems.values()) console.error(shown(problem));
    for (const line of telling.summary(countsOfQueues, shared.runId)) console.log(line);
  }
  telling.failUnlessWell(countsOfQueues, signal.aborted);
}

interface Choosing {
  selected: Selected;
  opened: Queues;
  clusters: LookedInto;
  including: { done: boolean; hopeless: boolean };
}

async function choose(letters: readonly Letter[], choosing: Choosing): Promise<Choice[]> {
  const { opened, clusters, including } = choosing;
  const { selection } = choosing.selected;
  const selected = letters.filter((letter) => isSelected(letter, selection, functions));
  const cluster = clusters.get.bind(clusters);
  const surroundings = { functions, cluster, served: opened.deployment.clusters, now: () => new Date() };
  const findings = await findingsFor(selected, surroundings);
  return letters.map((letter) => {
    if (!selected.includes(letter)) return 'not selected';
    const state = findings.get(placeOf(letter, subjectOf(letter, functions)))?.state ?? 'unknown';
    if (!including.done && finished.has(state)) return 'finished';
    if (!including.hopeless && hopeless.has(state)) return 'hopeless';
    return 'move';
  });
}

function isIncluded(option: string, value: string | undefined): boolean {
  if (value === undefined || value === 'skip') return false;
  if (value === 'include') return true;
  throw new UsageError(`--${option} must be skip or include, but is ${value}`);
}
