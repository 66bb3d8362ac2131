import { withCluster } from '../connect/options.ts';
import type { Define } from '../define.ts';
import { timeoutInSeconds } from '../parse/duration.ts';

export const defineUninstall: Define = (command) =>
  withCluster(command)
    .description(
      `Removes everything that 'longshore install' has put into a cluster. Refuses while something still needs Longshore, and \
says what to do about it. The namespace is kept if it contains anything else.`,
    )
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--dry-run', 'only show what would be removed; exit code 3 if there is something')
    .addOption(timeoutInSeconds('until everything is gone', '2m', 3600))
    .addHelpText('after', '\nExample:\n  longshore uninstall --context staging --dry-run')
    .action(async (options) => (await import('./uninstall.ts')).uninstall(options));
