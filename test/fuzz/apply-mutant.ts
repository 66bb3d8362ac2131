import { registerHooks } from 'node:module';
import type { Mutant } from './mutants.ts';

/** From now on the product's file is loaded with the mutation in it. */
export function apply({ name, file, before, after }: Mutant): void {
  const url = new URL(`../../${file}`, import.meta.url).href;
  registerHooks({
    load(loaded, context, nextLoad) {
      const result = nextLoad(loaded, context);
      if (loaded !== url) return result;
      const [start, end, ...more] = String(result.source).split(before);
      if (start === undefined || end === undefined || more.length > 0) {
        throw new Error(
          `the mutant ${name} does not fit ${file} any more: ${JSON.stringify(before)} is not there once`,
        );
      }
      return { ...result, source: start + after + end };
    },
  });
}
