import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { type CapabilityName, capabilityNames } from '../../lib/capabilities/names.ts';
import type { Choices } from '../../lib/install/choices.ts';
import type { WebhookChoice } from '../../lib/install/webhook-choice.ts';
import { someOf } from '../parse/values.ts';
import { chosenWebhook, type WebhookOptions, withWebhook } from './webhook-options.ts';

/** What is chosen on the command line; what is not stays as it was chosen the last time. */
export interface ChoiceOptions extends WebhookOptions {
  capabilities?: readonly CapabilityName[];
  runRole?: true;
  withoutRunRole?: true;
  functionRoles?: true;
  withoutFunctionRoles?: true;
  userRoles?: true;
  withoutUserRoles?: true;
  referenceGrants?: true;
  withoutReferenceGrants?: true;
}

export function withChoices<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return withWebhook(command)
    .option(
      '--capabilities <names>',
      `some of ${capabilityNames.join(',')}, separated by commas (default: as installed, or all)`,
      someOf('--capabilities', capabilityNames),
    )
    .addOption(new Option('--run-role', 'install the account and role of longshore run (default)'))
    .addOption(
      new Option('--without-run-role', 'leave them out, for a cluster served by functions on AWS').conflicts('runRole'),
    )
    .addOption(new Option('--function-roles', 'install the accounts and roles of the AWS functions'))
    .addOption(new Option('--without-function-roles', 'leave them out (default)').conflicts('functionRoles'))
    .addOption(
      new Option(
        '--user-roles',
        "add permissions for Longshore's resources to the roles view, edit and admin (default)",
      ),
    )
    .addOption(new Option('--without-user-roles', 'leave them out').conflicts('userRoles'))
    .addOption(new Option('--reference-grants', 'define ReferenceGrant if the cluster lacks it (default)'))
    .addOption(new Option('--without-reference-grants', 'do not define it').conflicts('referenceGrants'));
}

export function chosen(options: ChoiceOptions): Partial<Choices> {
  const flag = (name: keyof Choices, on: true | undefined, off: true | undefined) =>
    on || off ? { [name]: on === true } : {};
  const webhook = chosenWebhook(options);
  return {
    ...(options.capabilities ? { capabilities: options.capabilities } : {}),
    ...flag('runRole', options.runRole, options.withoutRunRole),
    ...flag('functionRoles', options.functionRoles, options.withoutFunctionRoles),
    ...flag('userRoles', options.userRoles, options.withoutUserRoles),
    ...flag('referenceGrants', options.referenceGrants, options.withoutReferenceGrants),
    ...(webhook === undefined ? {} : { webhook }),
  };
}

/** The options that choose exactly this. */
export function wordsFor({ capabilities, webhook, ...flags }: Choices): string[] {
  const names: Record<keyof typeof flags, string> = {
    runRole: 'run-role',
    functionRoles: 'function-roles',
    userRoles: 'user-roles',
    referenceGrants: 'reference-grants',
  };
  const words = Object.entries(names).map(([key, name]) =>
    flags[key as keyof typeof flags] ? `--${name}` : `--without-${name}`,
  );
  return ['--capabilities', capabilities.join(','), ...words, ...webhookWords(webhook)];
}

function webhookWords(webhook: WebhookChoice | null): string[] {
  if (!webhook) return [];
  const { url, service, caBundle } = webhook;
  const place = service ? ['--admission-service', `${service.namespace}/${service.name}`] : ['--admission-url', url];
  return caBundle === undefined ? place : [...place, '--admission-ca', '<file>'];
}
