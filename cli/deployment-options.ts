import type { Command, OptionValues } from '@commander-js/extra-typings';

/** The options that name the deployment, for every command that reads one. */
export interface DeploymentOptions {
  stage?: string | undefined;
  stack?: string | undefined;
}

/** Adds `--stage` and `--stack`. */
export function withDeployment<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command
    .option('--stage <stage>', 'stage of the deployment (default: LONGSHORE_STAGE)')
    .option('--stack <name>', 'name of its CloudFormation stack, instead of --stage');
}
