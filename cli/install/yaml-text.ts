import { stringify } from 'yaml';
import { type Choices, defaultChoices } from '../../lib/install/choices.ts';
import { desiredObjects, grantDefinition } from '../../lib/install/desired.ts';

/**
 * Every object as YAML, in an order that applies. The definition of ReferenceGrant is part of it only on request: what
 * applies these files would replace the one of the Gateway API.
 */
export function yamlText(given: Partial<Choices>, version: string): string {
  const choices = { ...defaultChoices, ...given };
  const objects = desiredObjects(choices, version);
  const all = given.referenceGrants === true ? [grantDefinition(version), ...objects] : objects;
  const head = `# Longshore ${version}: ${choices.capabilities.join(', ')}. Printed by \`longshore install -o yaml\`.`;
  return [head, ...all.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd())]
    .join('\n---\n')
    .replace('\n---\n', '\n');
}
