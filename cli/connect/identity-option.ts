import type { Command, OptionValues } from '@commander-js/extra-typings';
import { repeated } from '../parse/values.ts';

export interface IdentityOptions {
  assumeCluster?: readonly string[] | undefined;
}

/** Adds `--assume-cluster`. */
export function withIdentity<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command.option(
    '--assume-cluster <uid>',
    'skip the check that the kubeconfig leads to the right cluster, for the cluster whose namespace kube-system has this uid; may be repeated',
    repeated,
  );
}
