import type { CapabilityName } from '../capabilities/names.ts';
import { type Choices, choicesAnnotation, formatChoices } from './choices.ts';
import type { AnyObject, Installable, SetName } from './installable.ts';
import { compareTurns, systemNamespace } from './kinds.ts';
import { withLabels } from './labels.ts';
import { installables } from './manifests.ts';
import { webhookObjects } from './webhook-choice.ts';

/** The objects of an installation, labelled as ours, in an order in which they can be applied. */
export function desiredObjects(
  choices: Choices,
  version: string,
  all: readonly Installable[] = installables,
): AnyObject[] {
  const chosen = all.filter((each) => isChosen(each, choices)).map(({ object }) => withLabels(object, version));
  const webhook = webhookObjects(choices.webhook, choices.capabilities).map((object) => withLabels(object, version));
  return [...chosen, ...webhook].map((object) => withChoices(object, choices)).sort(compareTurns);
}

/** The name of a kind that others define, and we only where it is lacking. */
export const grantsDefinition = 'referencegrants.gateway.networking.k8s.io';

/** The definition of ReferenceGrant, which is only applied where the cluster lacks it. */
export function grantDefinition(version: string, all: readonly Installable[] = installables): AnyObject {
  const found = all.find(({ set }) => set === 'grants');
  if (!found) throw new Error('there is no definition of ReferenceGrant');
  return withLabels(found.object, version);
}

function isChosen({ set, capabilities, exactly }: Installable, choices: Choices): boolean {
  const chosenSets: Record<SetName, boolean> = {
    base: true,
    users: choices.userRoles,
    run: choices.runRole,
    functions: choices.functionRoles,
    grants: false,
  };
  if (!chosenSets[set]) return false;
  if (exactly) return isSame(exactly, choices.capabilities);
  return capabilities === undefined || capabilities.some((name) => choices.capabilities.includes(name));
}

function isSame(one: readonly CapabilityName[], other: readonly CapabilityName[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}

function withChoices(object: AnyObject, choices: Choices): AnyObject {
  if (object.kind !== 'Namespace' || object.metadata.name !== systemNamespace) return object;
  const annotations = { ...object.metadata.annotations, [choicesAnnotation]: formatChoices(choices) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
