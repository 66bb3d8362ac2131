import { withIdentity } from '../connect/identity-option.ts';
import { withCluster } from '../connect/options.ts';
import type { Define } from '../define.ts';
import { withDeployment } from '../deployment-options.ts';
import { notEmpty, wholeNumber } from '../parse/values.ts';
import { documentOption, jsonOption } from '../terminal/document-option.ts';

const defaultRate = 50;
const maxRate = 1_000;

/** Everything unfinished once more. */
export const defineResync: Define = (command) =>
  withIdentity(withCluster(withDeployment(command)))
    .description('Lists the objects of a cluster and sends a message for each one with unfinished work.')
    .option('--cluster <name>', 'cluster, as the deployment names it (default: the only one)')
    .option('--kind <kind>', 'only messages for objects of this kind')
    .option('-n, --namespace <namespace>', 'only messages for objects in this namespace', notEmpty('--namespace'))
    .option('--name <name>', 'only messages for objects of this name', notEmpty('--name'))
    .option('--rate <n>', `messages per second: 1-${maxRate}`, wholeNumber('--rate', 1, maxRate), defaultRate)
    .option('--dry-run', 'list what would be sent, but send nothing')
    .addOption(documentOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  longshore resync --stage production --dry-run
  longshore resync --stage production --kind pvc --namespace team-a`,
    )
    .action(async (options) => (await import('./resync.ts')).resyncCluster(options));
