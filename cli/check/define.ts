import { withCluster } from '../connect/options.ts';
import type { Define } from '../define.ts';
import { timeoutInSeconds } from '../parse/duration.ts';
import { outputOption } from '../terminal/output.ts';

/** Whether a cluster has what Longshore needs. */
export const defineCheck: Define = (command) =>
  withCluster(command)
    .description(
      'Checks whether the cluster has what this release needs: CRDs, policies, permissions, drivers, clocks and credentials. \
Exit code 3: there is a problem.',
    )
    .option('--pre', 'check only what installing and running need; for use before the installation')
    .addOption(timeoutInSeconds('for the API server', '20s', 600))
    .addOption(outputOption('json', 'wide'))
    .addHelpText('after', '\nExamples:\n  longshore check --pre\n  longshore check --context staging')
    .action(async (options) => (await import('./check.ts')).checkCluster(options));
