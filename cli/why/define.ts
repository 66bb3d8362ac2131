import { withCluster, withNamespace } from '../connect/options.ts';
import type { Define } from '../define.ts';
import { wholeNumber } from '../parse/values.ts';
import { outputOption } from '../terminal/output.ts';

/** All about one object. */
export const defineWhy: Define = (command) =>
  withNamespace(withCluster(command))
    .description(
      'Shows how far Longshore is with one object, what it waits for, who has to do what, the objects it has to do with, and \
what has happened. Exit code 3 says that it is not finished.',
    )
    .argument('<object...>', 'such as streq/move, pvc/data or bucket/photos')
    .option(
      '--timeout <seconds>',
      'how long to wait for the API server (default: 10)',
      wholeNumber('--timeout', 1, 600),
    )
    .addOption(outputOption('json'))
    .addHelpText('after', '\nExamples:\n  longshore why streq/move -n team-a\n  longshore why bucket/photos')
    .action(async (object, options) => (await import('./why.ts')).showWhy(object, options));
