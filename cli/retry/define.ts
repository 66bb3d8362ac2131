import { withCluster, withNamespace } from '../connect/options.ts';
import type { Define } from '../define.ts';

/** Has one object tried at once. */
export const defineRetry: Define = (command) =>
  withNamespace(withCluster(command))
    .description(
      'Has Longshore try a failing object at once, instead of after its back-off of up to 15 minutes. Use it when the cause is \
fixed. The active process is asked by an annotation on its Lease, for which you need permission to patch leases in \
longshore-system.',
    )
    .argument('<object...>', 'the object as <kind>/<name>, such as streq/move, pvc/data or bucket/photos')
    .addHelpText('after', '\nExample:\n  longshore retry streq/move -n team-a')
    .action(async (object, options) => (await import('./retry.ts')).retryObject(object, options));
