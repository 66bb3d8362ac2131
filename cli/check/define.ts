import { withCluster } from '../connect/options.ts';
import type { Define } from '../define.ts';
import { wholeNumber } from '../parse/values.ts';
import { outputOption } from '../terminal/output.ts';

/** Whether a cluster has what Longshore needs. */
export const defineCheck: Define = (command) =>
  withCluster(command)
    .description(
      'Checks whether the cluster has what this release needs: kinds, policies, rights, drivers, clocks and credentials. \
Exit code 3 says that there is a problem.',
    )
    .option('--pre', 'before an installation: only what is needed to install and to run it')
    .option(
      '--timeout <seconds>',
      'how long to wait for the API server (default: 20)',
      wholeNumber('--timeout', 1, 600),
    )
    .addOption(outputOption('json', 'wide'))
    .addHelpText('after', '\nExamples:\n  longshore check --pre\n  longshore check --context staging')
    .action(async (options) => (await import('./check.ts')).checkCluster(options));
