import type { Define } from '../define.ts';
import { withWaiting, withWriting } from '../objects/write-options.ts';

/** Takes a claim of another namespace. */
export const defineMove: Define = (command) =>
  withWaiting(withWriting(command), { until: 'the claim has moved', isUsual: true, timeout: '10m' })
    .description(
      'Moves a claim with its volume from another namespace to yours, without copying data. Its owner has to approve: the \
command for that is printed. First stop every pod that uses the claim, and whatever recreates those pods.',
    )
    .argument('<claim>', 'name of the claim in the other namespace, as pvc/<name> or <name>')
    .requiredOption('--from <namespace>', 'namespace of the claim')
    .option('--to-name <name>', 'name of the claim in your namespace (default: the same name)')
    .addHelpText(
      'after',
      `
If you interrupt it, the request stays. Run the same command again to follow it.

Examples:
  longshore move pvc/db --from team-b
  longshore move pvc/db --from team-b -n team-a --to-name db2 --no-wait
  longshore move pvc/db --from team-b --dry-run -o yaml`,
    )
    .action(async (claim, options) => (await import('./move.ts')).move(claim, options));
