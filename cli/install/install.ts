import { applyPlan, Interrupted } from '../../lib/install/apply-plan.ts';
import { fieldManager } from '../../lib/install/field-manager.ts';
import { findHolders } from '../../lib/install/holders.ts';
import { ChoicesLost } from '../../lib/install/lost-choices.ts';
import { makePlan } from '../../lib/install/make-plan.ts';
import { controllerUser } from '../../lib/install/probes.ts';
import { untilInForce } from '../../lib/install/until-in-force.ts';
import { realClock } from '../../lib/runtime/clock.ts';
import { onStop } from '../../lib/runtime/stop-signals.ts';
import { type OpenedCluster, openCluster } from '../connect/open.ts';
import type { ClusterOptions } from '../connect/options.ts';
import { exitCodes } from '../exit-codes.ts';
import { reachOf } from '../objects/work.ts';
import { UsageError } from '../parse/usage-error.ts';
import { releaseVersion } from '../release-version.ts';
import { printable } from '../terminal/printable.ts';
import { note, say } from '../terminal/say.ts';
import { lineWidth } from '../terminal/width.ts';
import { type ChoiceOptions, chosen, wordsFor } from './choice-options.ts';
import { confirmed } from './confirm.ts';
import { conflictText, hasChanges, planText } from './plan-text.ts';
import { holderLines } from './removal-text.ts';
import { silenceOfWebhook } from './silent-webhook.ts';

export interface InstallOptions extends ClusterOptions, ChoiceOptions {
  yes?: true;
  dryRun?: true;
  output?: 'yaml';
  forceConflicts?: true;
  force?: true;
  timeout?: number;
}

const defaultTimeoutSeconds = 120;

export async function install(options: InstallOptions): Promise<void> {
  const version = await releaseVersion();
  if (options.output === 'yaml') {
    const { yamlText } = await import('./yaml-text.ts');
    console.log(yamlText(chosen(options), version));
    return;
  }
  await using opened = await openCluster(options);
  process.exitCode = await stoppable((signal) => installInto(opened, version, options, signal));
}

/** Runs until the first Ctrl-C, after which nothing more is begun. The next run completes what is missing. */
export async function stoppable(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController();
  onStop(() => {
    note('stopping');
    stop.abort();
  });
  try {
    return await work(stop.signal);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    note(error.message);
    return exitCodes.interrupted;
  }
}

/** What seems to be there is only proposed: whoever runs the command knows what was meant. */
function sayWhatToType(error: unknown): never {
  if (!(error instanceof ChoicesLost)) throw error;
  throw new UsageError(
    `${error.message}. Add all of the following, changed to what is meant; this is what seems to be installed:\n  ${wordsFor(error.likely).join(' ')}`,
  );
}

async function installInto(
  opened: OpenedCluster,
  version: string,
  options: InstallOptions,
  signal: AbortSignal,
): Promise<number> {
  const { yes = false, dryRun = false, forceConflicts = false, force = false } = options;
  const api = opened.as({ manager: fieldManager, stopped: signal });
  const target = printable(`context ${opened.name} (${opened.server})`);
  const plan = await makePlan(api, { version, given: chosen(options), force }).catch(sayWhatToType);
  say(
    `Longshore ${version} for ${target}, Kubernetes ${printable(plan.server.version)}\n\n${planText(plan, lineWidth(process.stdout))}`,
  );
  const conflicts = forceConflicts ? undefined : conflictText(plan);
  if (dryRun) {
    if (conflicts) note(conflicts);
    return hasChanges(plan) ? exitCodes.found : exitCodes.done;
  }
  if (conflicts) throw new Error(conflicts);
  if (plan.dropped.length > 0 && !force) {
    // Without its policies a claim that is offered, for example, is deleted with its volume.
    const holders = await findHolders(api, realClock.now());
    if (holders.length > 0) {
      note(`${plan.dropped.join(' and ')} cannot be left out yet, or only with --force:`);
      note(holderLines(holders, reachOf(options)).join('\n'));
      return exitCodes.failed;
    }
  }
  if (hasChanges(plan) && !(await confirmed(`Apply this plan to ${target}?`, yes, signal))) {
    note('nothing was changed');
    return exitCodes.failed;
  }
  const { timeout = defaultTimeoutSeconds } = options;
  const waiting = { clock: realClock, deadlineMs: realClock.elapsedMs() + 1_000 * timeout, signal };
  await applyPlan(api, plan, { ...waiting, forceConflicts, progress: (line) => note(printable(line)) });
  // What a probe has created it also removes once it is stopped.
  const callers = { own: opened.as({ manager: fieldManager }), controller: opened.as({ impersonate: controllerUser }) };
  const { inForce, untried } = await untilInForce(callers, plan, waiting);
  for (const { policy, why } of untried) note(printable(`${policy} could not be tried: ${why}`));
  const silence = await silenceOfWebhook(api, plan.choices, waiting);
  if (silence) note(printable(silence));
  say(`Installed: all CRDs are served, and ${inForce.length} policies are in force.`);
  return exitCodes.done;
}
