import type { Command, OptionValues } from '@commander-js/extra-typings';
import { repeated } from '../parse/values.ts';

export interface IdentityOptions {
  assumeCluster?: readonly string[] | undefined;
}

/** Adds `--assume-cluster`. */
export function withIdentity<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command.option(
    '--assume-cluster <uid>',
    'take a cluster for the right one though that cannot be told: uid of its namespace kube-system; may be repeated',
    repeated,
  );
}
