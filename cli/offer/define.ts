import type { Define } from '../define.ts';
import { withWaiting, withWriting } from '../objects/write-options.ts';

/** Offers a claim to a claim of another namespace. */
export const defineOffer: Define = (command) =>
  withWaiting(withWriting(command), { until: 'the claim can be deleted safely', isUsual: true, timeout: '1m' })
    .description(
      'Offers a claim of your namespace to another namespace. Nothing moves until you delete the claim; then the other \
namespace gets the volume with all of its data. Shows what is offered, and asks for confirmation.',
    )
    .argument('<claim>', 'claim of your namespace, as pvc/<name> or <name>')
    .requiredOption('--to <namespace/name>', 'claim that gets the volume (default name: that of your claim)')
    .option('--redirect', 'replace an earlier offer to another claim')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      `
Examples:
  longshore offer pvc/db --to team-a -n team-b
  longshore offer pvc/db --to team-a/db2 --redirect`,
    )
    .action(async (claim, options) => (await import('./offer.ts')).offer(claim, options));
