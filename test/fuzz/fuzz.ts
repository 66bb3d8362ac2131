import { targets } from './fixtures.ts';
import { invocationsFor } from './fuzz-invocations.ts';
import { messagesFor } from './fuzz-messages.ts';
import { requestsFor } from './fuzz-requests.ts';
import { Fuzzer, type Outcome } from './fuzzer.ts';
import { invoked } from './invoked.ts';
import type { Mutant } from './mutants.ts';

export const functionNames = [...Object.keys(targets), 'request-bucket', ...Object.keys(invoked)];

interface Plan {
  runs: number;
  seed: number;
  names: readonly string[];
  /** What of the product is made wrong. */
  mutant: Mutant | undefined;
}

/** Fuzzes one function after the other, and answers in how many of them something went wrong. */
export async function fuzz({ runs, seed, names, mutant }: Plan): Promise<number> {
  const started = Date.now();
  let all = 0;
  let violations = 0;
  for (const name of names) {
    const { count, tally, violation } = await fuzzFunction(name, { runs, seed, mutant });
    const told = Object.entries(tally).map(([what, number]) => `, ${what} ${number}`);
    if (violation) {
      violations += 1;
      console.log(`VIOLATION ${violation.text}`);
      console.log(
        `again: npm run fuzz -- --function ${name} --runs 1 --seed ${violation.seed}${mutant ? ` --mutant ${mutant.name}` : ''}`,
      );
    }
    console.log(`${name}: ${count} messages and events${told.join('')}`);
    all += count;
  }
  console.log(`${((Date.now() - started) / 1000).toFixed(1)} s, from seed ${seed}`);
  console.log(`functions ${names.length} messages and events ${all} violations ${violations}`);
  return violations;
}

async function fuzzFunction(name: string, { mutant, ...options }: Omit<Plan, 'names'>): Promise<Outcome> {
  const fuzzer = await Fuzzer.of(name, mutant);
  try {
    if (Object.hasOwn(targets, name)) return await fuzzer.run(await messagesFor(name, fuzzer), options);
    if (name === 'request-bucket') return await fuzzer.run(requestsFor(fuzzer), options);
    return await fuzzer.run(invocationsFor(name, fuzzer), options);
  } finally {
    await fuzzer.stop();
  }
}
