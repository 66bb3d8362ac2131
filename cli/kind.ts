import { kindNamed, namesOfKind } from '../lib/kubernetes/kind-names.ts';
import type { Resource } from '../lib/kubernetes/resource.ts';
import { resources } from '../lib/kubernetes/resources.ts';
import { didYouMean } from './parse/did-you-mean.ts';
import { UsageError } from './parse/usage-error.ts';

/** A kind by any of its names; of one that nobody knows, which there are. */
export function readKind(name: string): Resource {
  const found = kindNamed(name);
  if (found) return found;
  const known = Object.values(resources).map((resource) => namesOfKind(resource)[0] ?? '');
  const meant = didYouMean(name, known);
  throw new UsageError(`unknown kind ${JSON.stringify(name)}${meant}; known kinds: ${known.join(', ')}`);
}
