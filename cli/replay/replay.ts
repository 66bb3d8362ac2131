import { forwardedFunctions } from '../../lib/capabilities/all-capabilities.ts';
import type { Deployment } from '../../lib/recovery/deployment/deployment.ts';
import { meansOf } from '../../lib/recovery/replay/deployed.ts';
import { Run } from '../../lib/recovery/replay/run.ts';
import { realClock } from '../../lib/runtime/clock.ts';
import { errorText } from '../../lib/runtime/error-text.ts';
import { requestedCluster } from '../cluster-name.ts';
import { findDeployment } from '../deployment.ts';
import { exitCodes } from '../exit-codes.ts';
import { stopSignal } from '../interrupted.ts';
import { documentText } from '../terminal/document.ts';
import { type DocumentForm, formOf } from '../terminal/document-option.ts';
import { printable } from '../terminal/printable.ts';
import { Progress } from '../terminal/progress.ts';
import { say } from '../terminal/say.ts';
import { type Called, calledBy, type ReplayOptions } from './options.ts';
import { damageText, documentOf, shownOf, summaryOf, unservedText } from './output.ts';

/** Puts what was sent in a range of time onto its queues again. */
export async function replay(options: ReplayOptions): Promise<void> {
  const called = calledBy(options, new Date());
  const form = formOf(options);
  const deployment = await findDeployment(called);
  if ('from' in called.begin && called.begin.cluster !== undefined) requestedCluster(called.begin.cluster, deployment);
  const archive = called.archive ?? deployment.archive;
  if (archive === undefined) {
    throw new Error(
      `${deployment.name} has no archive to replay: the deployment has archive=off. To replay another archive, use --archive`,
    );
  }
  const progress = new Progress(process.stderr, realClock);
  // The first Ctrl-C waits for what is on its way.
  const stop = stopSignal(() => progress.print('stopping: waiting for messages in flight'));
  const { close, ...means } = meansOf(archive, queuesOf(deployment), {
    signal: stop,
    served: deployment.clusters,
    onUnserved: (clusters) => progress.print(unservedText(clusters, deployment.name)),
    onDamage: (damage) => progress.print(`left out: ${damageText(damage)}`),
    onTrouble: (problem) => progress.print(`${printable(problem)}; retrying`),
  });
  try {
    const run = await Run.open(called, means).catch((error: unknown) => {
      if (!stop.aborted) throw toldOf(error, archive);
      progress.print(errorText(error));
    });
    if (run) await replayAll(run, called, progress, form);
    else process.exitCode = exitCodes.interrupted;
  } finally {
    close();
  }
}

function toldOf(error: unknown, archive: string): unknown {
  if (!(error instanceof Error) || error.name !== 'NoSuchBucket') return error;
  return new Error(`there is no bucket ${archive}: check --archive`, { cause: error });
}

async function replayAll(run: Run, called: Called, progress: Progress, form?: DocumentForm): Promise<void> {
  const show = () => (form ? console.log(documentText(documentOf(run), form)) : say(summaryOf(run)));
  if (!run.isDryRun) progress.print(`run ${run.runId}`);
  const goOn = run.isDryRun ? [] : [`to continue: ${commandToGoOn(run, called)}`];
  if (run.isDone) progress.print('this run is already complete: nothing is sent');
  let isDone = false;
  try {
    isDone = await progress.during(shownOf(run, realClock), run.run());
  } catch (error) {
    show();
    throw new Error([...problemsOf(error, called), ...goOn].join('\n'), { cause: error });
  }
  show();
  if (run.summary.refused.length > 0) process.exitCode = exitCodes.failed;
  if (isDone) return;
  if (run.unkept !== undefined)
    progress.print(
      `it will resume from an earlier position, because the current one could not be saved: ${run.unkept}`,
    );
  for (const line of ['stopped before the end', ...goOn]) progress.print(line);
  process.exitCode = exitCodes.interrupted;
}

function problemsOf(error: unknown, { skipDamaged }: Called): string[] {
  const problem = errorText(error);
  if (error instanceof Error && 'code' in error && error.code === 'QueueDoesNotExist')
    return [printable(problem), 'see longshore queues, and recreate it with longshore queues --recreate'];
  const isDamage = error instanceof Error && error.name === 'DamagedSegment' && !skipDamaged;
  return [printable(problem), ...(isDamage ? ['or skip the rest of it with --skip-damaged'] : [])];
}

function commandToGoOn({ runId }: Run, { stage, stack, archive, ratePerSecond, skipDamaged }: Called): string {
  const parts = ['longshore replay --resume', runId];
  if (stack !== undefined) parts.push('--stack', stack);
  else if (stage !== undefined) parts.push('--stage', stage);
  if (archive !== undefined) parts.push('--archive', archive);
  if (ratePerSecond !== undefined) parts.push('--rate', String(ratePerSecond));
  if (skipDamaged) parts.push('--skip-damaged');
  return parts.join(' ');
}

/**
 * Only of functions to whom the cluster's changes are forwarded: what feeds the others is no key, and whoever can write to
 * the archive must not be able to have anything made by them.
 */
function queuesOf({ queues }: Deployment): Record<string, string> {
  const entries = Object.entries(queues).filter(([name]) => forwardedFunctions.has(name));
  return Object.fromEntries(entries.map(([name, { url }]) => [name, url]));
}
