import { parseArgs } from 'node:util';
import { apply } from './apply-mutant.ts';
import { mutants } from './mutants.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    function: { type: 'string' },
    mutant: { type: 'string' },
  },
});
const runs = Number(values.runs);
const seed = Number(values.seed);
if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(seed)) {
  refuse('usage: npm run fuzz -- [--runs N] [--seed S] [--function NAME | --mutant NAME]; N and S are whole numbers');
}
const mutant = mutants.find(({ name }) => name === values.mutant);
if (values.mutant !== undefined && !mutant) {
  refuse(`there is no mutant ${values.mutant}; there are: ${mutants.map(({ name }) => name).join(', ')}`);
}
// Before anything of the product is loaded.
if (mutant) apply(mutant);
const { functionNames, fuzz } = await import('./fuzz.ts');
const named = values.function ?? mutant?.function;
if (named !== undefined && !functionNames.includes(named)) {
  refuse(`there is no function ${named}; there are: ${functionNames.join(', ')}`);
}
const again = mutant ? ` --mutant ${mutant.name}` : '';
const violations = await fuzz({ runs, seed, names: named === undefined ? functionNames : [named], again });
process.exitCode = violations > 0 ? 1 : 0;

function refuse(reason: string): never {
  console.error(reason);
  process.exit(2);
}
