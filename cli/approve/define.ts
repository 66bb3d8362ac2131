import type { Define } from '../define.ts';
import { withWaiting, withWriting } from '../objects/write-options.ts';

/** Gives a claim to whoever requests it. */
export const defineApprove: Define = (command) =>
  withWaiting(withWriting(command), { until: 'the claim has moved', isUsual: false, timeout: '10m' })
    .description(
      'Approves a request for a claim of your namespace. The claim and all of its data then move to the other namespace, and \
are gone from yours. Shows what is given to whom, and asks for confirmation.',
    )
    .argument('<request>', 'the request, as streq/<name>')
    .requiredOption('--for <namespace>', 'namespace of the request, which gets the claim')
    .option('--claim <name>', 'requested claim of your namespace; required if you may not read the request')
    .option('--to-name <name>', 'name of the claim in the other namespace; only shown in the confirmation')
    .option('--approval <name>', 'name of the approval (default: the one that the request names)')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      `
'longshore move' prints this command, with all options, for the requester to send you.

Examples:
  longshore approve streq/team-b.db -n team-b --for team-a
  longshore approve streq/team-b.db -n team-b --for team-a --claim db --yes
  longshore approve streq/team-b.db -n team-b --for team-a --dry-run -o yaml`,
    )
    .action(async (request, options) => (await import('./approve.ts')).approve(request, options));
