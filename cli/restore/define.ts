import { Option } from '@commander-js/extra-typings';
import type { Define } from '../define.ts';
import { withWaiting, withWriting } from '../objects/write-options.ts';
import { repeated } from '../parse/values.ts';

/** A claim with the data of a snapshot. */
export const defineRestore: Define = (command) =>
  withWaiting(withWriting(command), { until: 'the claim has the data', isUsual: true, timeout: '10m' })
    .description(
      'Creates a claim with the data of a VolumeSnapshot of another namespace. That namespace has to allow it once, with a \
ReferenceGrant that is printed. The snapshot is not changed.',
    )
    .argument('<snapshot>', 'name of the VolumeSnapshot')
    .requiredOption('--from <namespace>', 'namespace of the snapshot')
    .requiredOption('--to-name <name>', 'name of the claim in your namespace')
    .option('--size <quantity>', 'size of the claim, such as 10Gi; required if you may not read the snapshot')
    .option('--class <name>', "storage class of the snapshot's driver (default: the cluster's default class)")
    .option('--access-mode <mode>', 'access mode; repeat it for several (default: ReadWriteOnce)', repeated)
    .addOption(new Option('--volume-mode <mode>', 'volume mode').choices(['Filesystem', 'Block'] as const))
    .addHelpText(
      'after',
      `
Examples:
  longshore restore nightly --from team-b --to-name data --size 10Gi
  longshore restore nightly --from team-b --to-name data -n team-a --class standard --dry-run -o yaml`,
    )
    .action(async (snapshot, options) => (await import('./restore.ts')).restore(snapshot, options));
