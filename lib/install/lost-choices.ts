import { capabilityNames } from '../capabilities/names.ts';
import { type Choices, choicesAnnotation, hasChoices } from './choices.ts';
import { grantsDefinition } from './desired.ts';
import type { AnyObject, Installable } from './installable.ts';
import { systemNamespace } from './kinds.ts';
import { webhookChoiceFrom, webhookKind } from './webhook-choice.ts';

/** Something is installed, and nobody knows what was chosen: the defaults might remove or add much of it. */
export class ChoicesLost extends Error {
  /** What seems to be installed, with what was chosen now. */
  readonly likely: Choices;

  constructor(likely: Choices) {
    super(
      `nothing was changed: something is installed, but namespace ${systemNamespace} does not say what was chosen (annotation ${choicesAnnotation})`,
    );
    this.likely = likely;
  }
}

const names = ['capabilities', 'runRole', 'functionRoles', 'userRoles', 'referenceGrants'] as const;

/** Throws unless the choices are known, from the last installation or because all of them are given now. */
export function requireChoices(
  namespace: AnyObject | undefined,
  ours: readonly AnyObject[],
  given: Partial<Choices>,
  installables: readonly Installable[],
): void {
  // Both may be left of an installation that is gone.
  const rest = ours.filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.name !== grantsDefinition);
  if (rest.length === 0 || hasChoices(namespace)) return;
  const hasWebhook = ours.some(({ kind }) => kind === webhookKind);
  const needed = hasWebhook ? ([...names, 'webhook'] as const) : names;
  if (needed.every((name) => given[name] !== undefined)) return;
  throw new ChoicesLost({ ...likely(ours, installables), ...given });
}

function likely(ours: readonly AnyObject[], installables: readonly Installable[]): Choices {
  const isThere = ({ object }: Installable) =>
    ours.some(({ kind, metadata }) => kind === object.kind && metadata.name === object.metadata.name);
  const hasSet = (name: Installable['set']) => installables.some((each) => each.set === name && isThere(each));
  const capabilities = capabilityNames.filter((name) =>
    installables.some((each) => each.capabilities?.join() === name && each.set === 'base' && isThere(each)),
  );
  return {
    capabilities: capabilities.length > 0 ? capabilities : capabilityNames,
    runRole: hasSet('run'),
    functionRoles: hasSet('functions'),
    userRoles: hasSet('users'),
    referenceGrants: hasSet('grants'),
    webhook: webhookChoiceFrom(ours),
  };
}
