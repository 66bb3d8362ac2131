import { Option } from '@commander-js/extra-typings';
import type { Define } from '../define.ts';
import { timeoutOption, withWriting } from '../objects/write-options.ts';
import { repeated } from '../parse/values.ts';

/** Creates the claim that takes an offered volume. */
export const defineAccept: Define = (command) =>
  withWriting(command)
    .description(
      'Creates the claim of your namespace that accepts the volume of an offered claim. It stays Pending until the other \
owner deletes that one.',
    )
    .argument('<claim>', 'the offered claim, as pvc/<name> or <name>')
    .requiredOption('--from <namespace>', 'namespace of the offered claim')
    .option('--to-name <name>', 'name of your claim (default: as the offered one is called)')
    .option('--size <quantity>', 'what the volume has, such as 10Gi; needed if you may not read the offered claim')
    .option('--class <name>', "the volume's storage class (default: the offered claim's)")
    .option('--access-mode <mode>', "access mode; repeat it for several (default: the offered claim's)", repeated)
    .addOption(new Option('--volume-mode <mode>', 'volume mode').choices(['Filesystem', 'Block'] as const))
    .option('--attributes-class <name>', "the volume's attributes class, if it has one")
    .option('-w, --wait', 'wait until the claim has the volume')
    .addOption(timeoutOption('10m'))
    .addHelpText(
      'after',
      `
Whoever offers the claim gets this line from 'longshore offer'.

Examples:
  longshore accept pvc/db --from team-b --size 10Gi --class standard --access-mode ReadWriteOnce
  longshore accept pvc/db --from team-b --to-name db2 -n team-a --dry-run -o yaml`,
    )
    .action(async (claim, options) => (await import('./accept.ts')).accept(claim, options));
