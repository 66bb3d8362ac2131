import { withIdentity } from '../connect/identity-option.ts';
import { withCluster } from '../connect/options.ts';
import type { Define } from '../define.ts';
import { withDeployment } from '../deployment-options.ts';
import { documentOption, jsonOption } from '../terminal/document-option.ts';

/** The history of an object. */
export const defineTrace: Define = (command) =>
  withIdentity(withCluster(withDeployment(command)))
    .description('Shows everything that happened to an object and to related objects, in order.')
    .argument('<kind>', 'kind of the object, by any of its names: StorageTransferRequest, pvc, bkt')
    .argument('<name>', '<namespace>/<name>, or <name> if the kind is cluster-scoped')
    .option('--cluster <name>', 'cluster, as the deployment names it (default: the only one)')
    .option(
      '--from <time>',
      'start of the search in archive and logs: such as 2026-11-19T03:00Z, or 6h for six hours ago',
      '24h',
    )
    .option('--logs', 'also show what the functions logged about the object')
    .option('--no-archive', 'do not show the messages about the object')
    .addOption(documentOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  longshore trace pvc team-a/data --stage production
  longshore trace pv volume-1 --from 2d --logs --stage production`,
    )
    .action(async (kind, name, options) => (await import('./trace.ts')).trace(kind, name, options));
