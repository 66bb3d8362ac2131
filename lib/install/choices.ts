import { type CapabilityName, capabilityNames } from '../capabilities/names.ts';
import type { AnyObject } from './installable.ts';
import { type WebhookChoice, webhookChoiceOf, withAuthorityOf } from './webhook-choice.ts';

/** What an installation consists of. */
export interface Choices {
  capabilities: readonly CapabilityName[];
  /** The service account and the role of `longshore run`. */
  runRole: boolean;
  /** Those of the functions of deployments on AWS. */
  functionRoles: boolean;
  /** What users of namespaces may do, added to the roles view, edit and admin. */
  userRoles: boolean;
  /** The kind ReferenceGrant, where the cluster lacks it. */
  referenceGrants: boolean;
  /** The API server asks a webhook instead of the mutating policies that it lacks. */
  webhook: WebhookChoice | null;
}

export const defaultChoices: Choices = {
  capabilities: capabilityNames,
  runRole: true,
  functionRoles: false,
  userRoles: true,
  referenceGrants: true,
  webhook: null,
};

/** On the namespace: an option that is left out the next time stays as it was. */
export const choicesAnnotation = 'longshore.dev/install';

export function formatChoices(choices: Choices): string {
  return JSON.stringify(choices);
}

/** True if somebody has chosen, and it can be read. */
export function hasChoices(namespace: AnyObject | undefined): boolean {
  return Object.keys(parsed(namespace?.metadata.annotations?.[choicesAnnotation])).length > 0;
}

/** The choices of the last installation; those that it does not say, or that nobody can read, are the defaults. */
export function choicesOn(namespace: AnyObject | undefined): Choices {
  const written = parsed(namespace?.metadata.annotations?.[choicesAnnotation]);
  const flag = (name: 'runRole' | 'functionRoles' | 'userRoles' | 'referenceGrants') => {
    const value = written[name];
    return typeof value === 'boolean' ? value : defaultChoices[name];
  };
  const named = Array.isArray(written.capabilities) ? written.capabilities : [];
  const capabilities = capabilityNames.filter((name) => named.includes(name));
  return {
    capabilities: capabilities.length > 0 ? capabilities : defaultChoices.capabilities,
    runRole: flag('runRole'),
    functionRoles: flag('functionRoles'),
    userRoles: flag('userRoles'),
    referenceGrants: flag('referenceGrants'),
    webhook: webhookChoiceOf(written.webhook),
  };
}

/** What is given now takes the place of what was chosen; all else stays. */
export function chosenAnew(before: Choices, given: Partial<Choices>): Choices {
  const webhook = given.webhook ? { webhook: withAuthorityOf(before.webhook, given.webhook) } : {};
  return { ...before, ...given, ...webhook };
}

function parsed(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
