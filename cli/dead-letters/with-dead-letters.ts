import type { Command, OptionValues } from '@commander-js/extra-typings';
import { withIdentity } from '../connect/identity-option.ts';
import { withDeployment } from '../deployment-options.ts';
import { repeated, time } from '../parse/values.ts';

/** Adds the options of all commands about dead letters: which deployment, which dead letters, and how to look at their objects. */
export function withDeadLetters<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return withIdentity(
    withDeployment(command)
      .option('--function <function>', 'only dead letters of this function')
      .option('--cluster <name>', 'only dead letters for objects in this cluster')
      .option('--kind <kind>', 'only dead letters for objects of this kind')
      .option('-n, --namespace <namespace>', 'only dead letters for objects in this namespace')
      .option('--name <name>', 'only dead letters for objects of this name')
      .option(
        '--older-than <time>',
        'only messages that became dead letters before this time, such as 2026-11-19T03:00Z, or 6h for six hours ago',
        time('--older-than'),
      )
      .option('--kubeconfig <path>', 'kubeconfig (default: as kubectl finds it)')
      .option(
        '--context <cluster>=<context>',
        "context of the kubeconfig to read the current state of a cluster's objects with; once for each cluster. With --cluster just <context> (default: the current one)",
        repeated,
      ),
  );
}
