import { withCluster, withNamespace } from '../connect/options.ts';
import type { Define } from '../define.ts';
import { timeoutInSeconds } from '../parse/duration.ts';
import { outputOption } from '../terminal/output.ts';

/** All about one object. */
export const defineWhy: Define = (command) =>
  withNamespace(withCluster(command))
    .description(
      'Shows how far Longshore is with one object, what the object is waiting on, who has to do what, related objects, and \
what has happened. Exit code 3: it is not finished.',
    )
    .argument('<object...>', 'the object as <kind>/<name>, such as streq/move, pvc/data or bucket/photos')
    .addOption(timeoutInSeconds('for the API server', '10s', 600))
    .addOption(outputOption('json'))
    .addHelpText('after', '\nExamples:\n  longshore why streq/move -n team-a\n  longshore why bucket/photos')
    .action(async (object, options) => (await import('./why.ts')).showWhy(object, options));
