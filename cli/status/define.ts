import { withCluster, withNamespaces } from '../connect/options.ts';
import type { Define } from '../define.ts';
import { wholeNumber } from '../parse/values.ts';
import { outputOption } from '../terminal/output.ts';

/** What works, what fails and what waits. */
export const defineStatus: Define = (command) =>
  withNamespaces(withCluster(command))
    .description(
      'Shows who forwards, what fails now and why, and what is unfinished, oldest first. It answers within 3 seconds, also \
if the API server does not. Exit code 3 says that something needs you.',
    )
    .option('-w, --watch', 'show it again every 2 seconds, until it is stopped')
    .option('--timeout <seconds>', 'how long to wait for the API server (default: 3)', wholeNumber('--timeout', 1, 600))
    .addOption(outputOption('json', 'wide'))
    .addHelpText('after', '\nExamples:\n  longshore status\n  longshore status -n team-a -o wide')
    .action(async (options) => (await import('./status.ts')).showStatus(options));
