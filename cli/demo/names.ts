import { randomInt } from 'node:crypto';
import type { Namespace } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';

/** On the namespaces of a demo, with what tells it apart from others. */
export const demoLabel = 'longshore.dev/demo';
const prefix = 'longshore-demo-';

/** Without vowels nothing is spelt by chance. */
const characters = 'bcdfghjkmnpqrstvwxz23456789';
const length = 5;

export function newDemo(): string {
  return Array.from({ length }, () => characters[randomInt(characters.length)]).join('');
}

/** A demo has two namespaces, whose names end with these. */
export const endings = ['a', 'b'] as const;
export type Ending = (typeof endings)[number];

export function namespaceOf(demo: string, ending: Ending): Namespace {
  const { apiVersion, kind } = resources.namespace;
  const metadata = { name: `${prefix}${demo}-${ending}`, labels: { [demoLabel]: demo } };
  return { apiVersion, kind: kind as Namespace['kind'], metadata };
}

/** A label alone is easily copied from one namespace to another. */
export function isDemo({ metadata }: Namespace): boolean {
  const demo = metadata.labels?.[demoLabel] ?? '';
  return demo !== '' && endings.some((ending) => metadata.name === namespaceOf(demo, ending).metadata.name);
}
