import { fieldManager } from '../../lib/install/field-manager.ts';
import { planRemoval, removesAnything } from '../../lib/install/removal.ts';
import { remove } from '../../lib/install/remove.ts';
import { realClock } from '../../lib/runtime/clock.ts';
import { type OpenedCluster, openCluster } from '../connect/open.ts';
import type { ClusterOptions } from '../connect/options.ts';
import { exitCodes } from '../exit-codes.ts';
import { reachOf } from '../objects/work.ts';
import { printable } from '../terminal/printable.ts';
import { note, say } from '../terminal/say.ts';
import { confirmed } from './confirm.ts';
import { stoppable } from './install.ts';
import { holdersText, removalText } from './removal-text.ts';

export interface UninstallOptions extends ClusterOptions {
  yes?: true;
  dryRun?: true;
  timeout?: number;
}

const defaultTimeoutSeconds = 120;

export async function uninstall(options: UninstallOptions): Promise<void> {
  await using opened = await openCluster(options);
  process.exitCode = await stoppable((signal) => uninstallFrom(opened, options, signal));
}

async function uninstallFrom(opened: OpenedCluster, options: UninstallOptions, signal: AbortSignal): Promise<number> {
  const { yes = false, dryRun = false, timeout = defaultTimeoutSeconds } = options;
  const api = opened.as({ manager: fieldManager, stopped: signal });
  const target = printable(`context ${opened.name} (${opened.server})`);
  const removal = await planRemoval(api, realClock.now());
  say(removalText(removal));
  if (!removesAnything(removal)) return exitCodes.done;
  if (removal.holders.length > 0) {
    note(holdersText(removal, reachOf(options)));
    return dryRun ? exitCodes.found : exitCodes.failed;
  }
  if (dryRun) return exitCodes.found;
  if (!(await confirmed(`Remove all of this from ${target}?`, yes, signal))) {
    note('nothing was changed');
    return exitCodes.failed;
  }
  // Somebody may have started Longshore, or offered a claim, since the question was asked.
  const { holders } = await planRemoval(api, realClock.now());
  if (holders.length > 0) {
    note(holdersText({ ...removal, holders }, reachOf(options)));
    return exitCodes.failed;
  }
  const deadlineMs = realClock.elapsedMs() + 1_000 * timeout;
  await remove(api, removal, {
    clock: realClock,
    deadlineMs,
    signal,
    progress: (line) => note(printable(line)),
  });
  say(`Longshore is removed from ${target}.`);
  return exitCodes.done;
}
