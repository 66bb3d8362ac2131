import type { Define } from '../define.ts';
import { timeoutOption, withWriting } from '../objects/write-options.ts';

/** Offers a claim to a claim of another namespace. */
export const defineOffer: Define = (command) =>
  withWriting(command)
    .description(
      'Offers a claim of your namespace to another namespace. You keep it until you delete it: that is the last word, and \
the other namespace then gets it with all of its data. Shows what is offered, and asks once.',
    )
    .argument('<claim>', 'claim of your namespace, as pvc/<name> or <name>')
    .requiredOption('--to <namespace/name>', 'claim that is to get the volume; without a name, of the same name')
    .option('--redirect', 'offer it to this claim instead of the one that it is offered to now')
    .option('-y, --yes', 'do not ask')
    .addOption(timeoutOption('1m'))
    .option('--no-wait', 'do not wait until the volume is safe')
    .addHelpText(
      'after',
      `
Examples:
  longshore offer pvc/db --to team-a -n team-b
  longshore offer pvc/db --to team-a/db2 --redirect`,
    )
    .action(async (claim, options) => (await import('./offer.ts')).offer(claim, options));
