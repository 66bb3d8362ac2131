import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';

/** The options by which every command that works in one cluster is told which, as kubectl has them. */
export interface ClusterOptions {
  kubeconfig?: string | undefined;
  context?: string | undefined;
}

export interface NamespaceOptions {
  namespace?: string;
  allNamespaces?: true;
}

/** Adds `--kubeconfig` and `--context`. */
export function withCluster<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command
    .option('--kubeconfig <path>', 'kubeconfig (default: as kubectl finds it)')
    .option('--context <name>', 'context of the kubeconfig (default: the current one)');
}

/** Adds `-n`. */
export function withNamespace<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command.option('-n, --namespace <name>', "namespace (default: the context's)");
}

/** Adds `-n` and `-A`. */
export function withNamespaces<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return withNamespace(command).addOption(allNamespaces('all namespaces'));
}

/** Adds `-n` and `-A` to a command for operators, who look at the whole cluster. */
export function withAllNamespaces<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option('-n, --namespace <name>', 'only objects of this namespace (default: all namespaces)')
    .addOption(allNamespaces('all namespaces (default)'));
}

function allNamespaces(meaning: string) {
  return new Option('-A, --all-namespaces', meaning).conflicts('namespace');
}
