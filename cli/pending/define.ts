import { withCluster, withNamespaces } from '../connect/options.ts';
import type { Define } from '../define.ts';
import { outputOption } from '../terminal/output.ts';

/** What waits for whom. */
export const definePending: Define = (command) =>
  withCluster(withNamespaces(command))
    .description(
      'Shows the transfers, restored claims and buckets of a namespace that wait for something: oldest first, with whom \
they wait for, what they say, and what to type next. Requests of other namespaces for your claims are shown as far as \
you may list them.',
    )
    .addOption(outputOption('json', 'yaml', 'wide', 'name'))
    .addHelpText(
      'after',
      `
Exits with 0 if nothing waits for you, and with 3 if something does.

Examples:
  longshore pending -n team-b
  longshore pending -A -o wide`,
    )
    .action(async (options) => (await import('./pending.ts')).pending(options));
