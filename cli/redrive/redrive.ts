import { randomBytes } from 'node:crypto';
import { RateLimiter } from '../../lib/queue/rate-limiter.ts';
import { Choices, type Included, nothingIncluded } from '../../lib/recovery/dead-letters/choices.ts';
import type { DeadLetter } from '../../lib/recovery/dead-letters/dead-letter.ts';
import { ForeseenBuckets } from '../../lib/recovery/dead-letters/foreseen-buckets.ts';
import { redrive as redriveQueue } from '../../lib/recovery/dead-letters/redrive.ts';
import { type Choice, emptyCounts, type RedriveCounts } from '../../lib/recovery/dead-letters/redrive-counts.ts';
import { isSelected } from '../../lib/recovery/dead-letters/selection.ts';
import { subjectOf } from '../../lib/recovery/dead-letters/subject.ts';
import { realClock } from '../../lib/runtime/clock.ts';
import { diagnosesOf, diagnosisKeyOf } from '../dead-letters/examine.ts';
import { onEachQueue } from '../dead-letters/find-dead-letters.ts';
import { functions } from '../dead-letters/known-functions.ts';
import { openerFor } from '../dead-letters/opener.ts';
import {
  type DeadLetterOptions,
  openQueues,
  type Queues,
  type Selected,
  selectedBy,
  servedContexts,
} from '../dead-letters/options.ts';
import { ReadableClusters } from '../dead-letters/readable-clusters.ts';
import { RedriveOutput } from '../dead-letters/redrive-output.ts';
import { stopSignal } from '../dead-letters/stop-signal.ts';
import { shown } from '../dead-letters/text.ts';
import { documentText } from '../terminal/document.ts';
import { type DocumentOptions, formOf } from '../terminal/document-option.ts';
import { note, say } from '../terminal/say.ts';

export interface RedriveOptions extends DeadLetterOptions, DocumentOptions {
  rate: number;
  include?: Included | undefined;
  dryRun?: true | undefined;
}

/** Moves dead letters back to their queues. */
export async function redrive(options: RedriveOptions): Promise<void> {
  const selected = selectedBy(options);
  const choices = new Choices(options.include ?? nothingIncluded);
  const foreseen = new ForeseenBuckets();
  const opened = await openQueues(options, selected);
  const clusters = new ReadableClusters(
    servedContexts(selected.contexts, opened.deployment),
    openerFor(opened.deployment, selected),
  );
  const signal = stopSignal();
  const isDryRun = options.dryRun ?? false;
  const output = new RedriveOutput(process.stderr, isDryRun);
  const shared = {
    runId: `redrive.${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}.${randomBytes(4).toString('hex')}`,
    choose: (deadLetters: readonly DeadLetter[]) =>
      choose(deadLetters, { selected, opened, clusters, choices, foreseen }),
    rateLimiter: new RateLimiter(options.rate, realClock),
    clock: realClock,
    isDryRun,
    signal,
  };
  const countsOfQueues = new Map<string, RedriveCounts>();
  await clusters.confirm().catch((error: unknown) => {
    clusters.close();
    opened.close();
    throw error;
  });
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
    for (const problem of clusters.problems.values()) note(shown(problem));
    const form = formOf(options);
    if (form) console.log(documentText(output.document(countsOfQueues, shared.runId), form));
    else for (const line of output.summary(countsOfQueues, shared.runId)) say(line);
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
