import { withAllNamespaces, withCluster } from '../connect/options.ts';
import type { Define } from '../define.ts';
import { timeoutInSeconds } from '../parse/duration.ts';
import { outputOption } from '../terminal/output.ts';

/** Who is active, what is failing and what is unfinished. */
export const defineStatus: Define = (command) =>
  withAllNamespaces(withCluster(command))
    .description(
      'Shows which process is active, which objects are failing and why, and what is unfinished, oldest first, in all \
namespaces. It answers within 3 seconds, even if the API server does not. Exit code 3: something needs you.',
    )
    .option('-w, --watch', 'refresh every 2 seconds, until stopped')
    .addOption(timeoutInSeconds('for the API server', '3s', 600))
    .addOption(outputOption('json', 'wide'))
    .addHelpText('after', '\nExamples:\n  longshore status\n  longshore status -n team-a -o wide')
    .action(async (options) => (await import('./status.ts')).showStatus(options));
