import { withCluster } from '../connect/options.ts';
import type { Define } from '../define.ts';
import { wholeNumber } from '../parse/values.ts';

export const defineUninstall: Define = (command) =>
  withCluster(command)
    .description(
      `Removes everything that install has put into a cluster. It refuses while something still needs Longshore, and \
says what to do for each. The namespace is left if it holds anything else.`,
    )
    .option('-y, --yes', 'do not ask')
    .option('--dry-run', 'only show what would be removed; exit code 3 if there is something')
    .option(
      '--timeout <seconds>',
      'how long to wait until everything is gone (default: 120)',
      wholeNumber('--timeout', 1, 3600),
    )
    .addHelpText('after', '\nExample:\n  longshore uninstall --context staging --dry-run')
    .action(async (options) => (await import('./uninstall.ts')).uninstall(options));
