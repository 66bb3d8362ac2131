import { Option } from '@commander-js/extra-typings';
import { withCluster } from '../connect/options.ts';
import type { Define } from '../define.ts';
import { timeoutInSeconds } from '../parse/duration.ts';
import { withChoices } from './choice-options.ts';

export const defineInstall: Define = (command) =>
  withChoices(withCluster(command))
    .description(
      `Installs what Longshore needs in a cluster, or upgrades it: CRDs, policies, roles and the namespace \
longshore-system. Shows a plan, asks for confirmation, and ends when everything works. Objects of others are not changed.`,
    )
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--dry-run', 'only show the plan; exit code 3 if something would change')
    .addOption(
      new Option('-o, --output <form>', 'print all objects, for GitOps, without contacting a cluster').choices([
        'yaml',
      ] as const),
    )
    .option('--force-conflicts', 'also change fields that others have set')
    .option('--force', 'also replace a newer release')
    .addOption(timeoutInSeconds('until everything works', '2m', 3600))
    .addHelpText(
      'after',
      '\nExamples:\n  longshore install --context staging\n  longshore install --without-run-role --function-roles --yes',
    )
    .action(async (options) => (await import('./install.ts')).install(options));
