import type { Define } from '../define.ts';
import { timeoutOption, withWriting } from '../objects/write-options.ts';

/** Takes a claim of another namespace. */
export const defineMove: Define = (command) =>
  withWriting(command)
    .description(
      'Moves a claim with its volume from another namespace to yours. No data is copied. Its owner has to approve: the \
line to type is printed. Stop every pod that uses the claim, and whatever recreates it.',
    )
    .argument('<claim>', 'the claim as it is called now, as pvc/<name> or <name>')
    .requiredOption('--from <namespace>', 'namespace that has the claim')
    .option('--to-name <name>', 'name of the claim in your namespace (default: as it is called now)')
    .addOption(timeoutOption('10m'))
    .option('--no-wait', 'do not wait until it has moved')
    .addHelpText(
      'after',
      `
The request is named after the claim: the same command goes on with it.

Examples:
  longshore move pvc/db --from team-b
  longshore move pvc/db --from team-b -n team-a --to-name db2 --no-wait
  longshore move pvc/db --from team-b --dry-run -o yaml`,
    )
    .action(async (claim, options) => (await import('./move.ts')).move(claim, options));
