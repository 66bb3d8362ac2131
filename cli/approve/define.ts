import type { Define } from '../define.ts';
import { timeoutOption, withWriting } from '../objects/write-options.ts';

/** Gives a claim to whoever requests it. */
export const defineApprove: Define = (command) =>
  withWriting(command)
    .description(
      'Approves a request for a claim of your namespace. The claim and all of its data are then in the other namespace, \
and gone from yours. Shows what is given to whom, and asks once.',
    )
    .argument('<request>', 'the request, as streq/<name>')
    .requiredOption('--for <namespace>', 'namespace that gets the claim, where the request is')
    .option('--claim <name>', 'claim of your namespace that is requested; needed if you may not read the request')
    .option('--to-name <name>', 'name that it gets there; for you to see, if you may not read the request')
    .option('--approval <name>', 'name of the approval (default: the one that the request names)')
    .option('-y, --yes', 'do not ask')
    .option('-w, --wait', 'wait until the claim has moved')
    .addOption(timeoutOption('10m'))
    .addHelpText(
      'after',
      `
Whoever requests the claim gets this line from 'longshore move'.

Examples:
  longshore approve streq/team-b.db -n team-b --for team-a
  longshore approve streq/team-b.db -n team-b --for team-a --claim db --yes
  longshore approve streq/team-b.db -n team-b --for team-a --dry-run -o yaml`,
    )
    .action(async (request, options) => (await import('./approve.ts')).approve(request, options));
