import { Option } from '@commander-js/extra-typings';
import { withCluster } from '../connect/options.ts';
import type { Define } from '../define.ts';
import { wholeNumber } from '../parse/values.ts';
import { withChoices } from './choice-options.ts';

export const defineInstall: Define = (command) =>
  withChoices(withCluster(command))
    .description(
      `Installs what Longshore needs in a cluster, or upgrades it: kinds, policies, roles and the namespace \
longshore-system. It shows a plan, asks once, and ends when everything works. Nothing of others is changed.`,
    )
    .option('-y, --yes', 'do not ask')
    .option('--dry-run', 'only show the plan; exit code 3 if something would change')
    .addOption(
      new Option('-o, --output <form>', 'print all objects, for GitOps; no cluster is asked').choices([
        'yaml',
      ] as const),
    )
    .option('--force-conflicts', 'also change fields that somebody else has set')
    .option('--force', 'also replace a newer release')
    .option(
      '--timeout <seconds>',
      'how long to wait until everything works (default: 120)',
      wholeNumber('--timeout', 1, 3600),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  longshore install --context staging\n  longshore install --without-run-role --function-roles --yes',
    )
    .action(async (options) => (await import('./install.ts')).install(options));
