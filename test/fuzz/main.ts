import { parseArgs } from 'node:util';
import { apply } from './apply-mutant.ts';
import { mutants } from './mutants.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    function: { type: 'string' },
    mutant: { type: 'string', multiple: true, default: [] },
  },
});
const runs = Number(values.runs);
const seed = Number(values.seed);
if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(seed)) {
  refuse(
    'usage: npm run fuzz -- [--runs N] [--seed S] [--function NAME | --mutant NAME...]; N and S are whole numbers',
  );
}
const tried = values.mutant.map((named) => {
  const mutant = mutants.find(({ name }) => name === named);
  return mutant ?? refuse(`there is no mutant ${named}; there are: ${mutants.map(({ name }) => name).join(', ')}`);
});
apply(tried);
// It takes a second to load, which nothing that is refused above has to wait for.
const { functionNames, fuzz } = await import('./fuzz.ts');
if (values.function !== undefined && !functionNames.includes(values.function)) {
  refuse(`there is no function ${values.function}; there are: ${functionNames.join(', ')}`);
}
let violations = 0;
for (const mutant of tried.length > 0 ? tried : [undefined]) {
  if (mutant) console.log(`with the mutant ${mutant.name}:`);
  const named = values.function ?? mutant?.function;
  violations += await fuzz({ runs, seed, names: named === undefined ? functionNames : [named], mutant });
}
process.exitCode = violations > 0 ? 1 : 0;

function refuse(reason: string): never {
  console.error(reason);
  process.exit(2);
}
