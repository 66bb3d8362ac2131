import { Option } from '@commander-js/extra-typings';
import type { Define } from '../define.ts';
import { withWaiting, withWriting } from '../objects/write-options.ts';
import { repeated } from '../parse/values.ts';

/** Creates the claim that takes an offered volume. */
export const defineAccept: Define = (command) =>
  withWaiting(withWriting(command), { until: 'the claim has the volume', isUsual: false, timeout: '10m' })
    .description(
      "Accepts a claim that another namespace offers: creates a claim in your namespace that gets the offered claim's volume. \
Your claim stays Pending until the other owner deletes the offered claim.",
    )
    .argument('<claim>', 'the offered claim, as pvc/<name> or <name>')
    .requiredOption('--from <namespace>', 'namespace of the offered claim')
    .option('--to-name <name>', 'name of your claim (default: the name of the offered claim)')
    .option('--size <quantity>', 'size of the volume, such as 10Gi; required if you may not read the offered claim')
    .option('--class <name>', "the volume's storage class (default: the offered claim's)")
    .option('--access-mode <mode>', "access mode; repeat it for several (default: the offered claim's)", repeated)
    .addOption(new Option('--volume-mode <mode>', 'volume mode').choices(['Filesystem', 'Block'] as const))
    .option('--attributes-class <name>', "the volume's attributes class, if it has one")
    .addHelpText(
      'after',
      `
'longshore offer' prints this command, with all options, for the owner of the offered claim to send you.

Examples:
  longshore accept pvc/db --from team-b --size 10Gi --class standard --access-mode ReadWriteOnce
  longshore accept pvc/db --from team-b --to-name db2 -n team-a --dry-run -o yaml`,
    )
    .action(async (claim, options) => (await import('./accept.ts')).accept(claim, options));
