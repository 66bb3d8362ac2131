import { registerHooks } from 'node:module';
import type { Mutant } from './mutants.ts';

const root = new URL('../../', import.meta.url).href;
const shared = new URL('node_modules/', root).href;

/**
 * From now on what is imported with the query of a mutant is loaded with its mutation in it, and so is all of this
 * repository that it leads to. So each mutant has modules of its own, and one process can try all of them.
 */
export function apply(mutants: readonly Mutant[]): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const query = mutants.map(queryFor).find((each) => context.parentURL?.endsWith(each));
      return query && isOwn(resolved.url) ? { ...resolved, url: `${resolved.url}${query}` } : resolved;
    },
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const mutant = mutants.find((each) => url === `${root}${each.file}${queryFor(each)}`);
      return mutant ? { ...loaded, source: mutated(String(loaded.source), mutant) } : loaded;
    },
  });
}

/** What a module's address ends with where it is a mutant's. */
export function queryFor({ name }: Mutant): string {
  return `?mutant=${name}`;
}

function isOwn(url: string): boolean {
  return url.startsWith(root) && !url.startsWith(shared);
}

function mutated(source: string, { name, file, before, after }: Mutant): string {
  const [start, end, ...more] = source.split(before);
  if (start === undefined || end === undefined || more.length > 0) {
    throw new Error(`the mutant ${name} does not fit ${file} any more: ${JSON.stringify(before)} is not there once`);
  }
  return start + after + end;
}
