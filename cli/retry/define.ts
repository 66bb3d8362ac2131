import { withCluster, withNamespace } from '../connect/options.ts';
import type { Define } from '../define.ts';

/** Has one object tried at once. */
export const defineRetry: Define = (command) =>
  withNamespace(withCluster(command))
    .description(
      'Has Longshore try one object at once, instead of after its back-off of up to 15 minutes: use it when the cause is \
mended. It asks the process that leads by an annotation on its Lease, for which you need the right to patch leases in \
longshore-system.',
    )
    .argument('<object...>', 'such as streq/move, pvc/data or bucket/photos')
    .addHelpText('after', '\nExample:\n  longshore retry streq/move -n team-a')
    .action(async (object, options) => (await import('./retry.ts')).retryObject(object, options));
