import { withCluster, withNamespaces } from '../connect/options.ts';
import type { Define } from '../define.ts';
import { outputOption } from '../terminal/output.ts';

/** What waits for whom. */
export const definePending: Define = (command) =>
  withCluster(withNamespaces(command))
    .description(
      'Shows the transfers, restored claims and buckets of a namespace that are waiting for something, oldest first: for \
whom, why, and what to type next. Requests of other namespaces for your claims are included if you may list them.',
    )
    .addOption(outputOption('json', 'yaml', 'wide', 'name'))
    .addHelpText(
      'after',
      `
Exits with 0 if nothing is waiting for you, and with 3 if something is.

Examples:
  longshore pending -n team-b
  longshore pending -A -o wide`,
    )
    .action(async (options) => (await import('./pending.ts')).pending(options));
