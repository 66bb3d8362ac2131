import { parseArgs } from 'node:util';
import { mutants } from './mutants.ts';
import { everything, type Plan } from './plan.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulation.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    mutant: { type: 'string' },
  },
});
const runs = Number(values.runs);
const firstSeed = Number(values.seed);
const mutant = mutants.find(({ name }) => name === values.mutant);
if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(firstSeed)) {
  console.error('usage: npm run simulate -- [--runs N] [--seed S] [--mutant NAME]; N and S are whole numbers');
  process.exit(2);
}
if (values.mutant !== undefined && !mutant) {
  console.error(`there is no mutant ${values.mutant}; there are: ${mutants.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

const started = Date.now();
let violations = 0;
for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
  const plan: Plan = { seed, ...everything, ...(mutant ? { mutant } : {}) };
  const found = await simulate(plan);
  if (found) {
    violations += 1;
    if (violations === 1) console.log(await shrink(plan));
  }
  if (process.stdout.isTTY && seed % 500 === 0) process.stdout.write(`\r${seed - firstSeed + 1} of ${runs} runs`);
}
if (process.stdout.isTTY) process.stdout.write('\r');
console.log(`${((Date.now() - started) / 1000).toFixed(1)} s, seeds ${firstSeed} to ${firstSeed + runs - 1}`);
console.log(`runs ${runs} violations ${violations}`);
if (violations > 0) process.exitCode = 1;
