import { parseArgs } from 'node:util';
import { capabilities, mutants } from './capabilities.ts';
import type { Capability } from './capability.ts';
import { everything, type Plan } from './plan.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulation.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    capability: { type: 'string' },
    mutant: { type: 'string' },
  },
});
const runs = Number(values.runs);
const firstSeed = Number(values.seed);
const mutant = mutants.find(({ name }) => name === values.mutant);
if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(firstSeed)) {
  refuse(
    'usage: npm run simulate -- [--runs N] [--seed S] [--capability NAME] [--mutant NAME]; N and S are whole numbers',
  );
}
if (values.mutant !== undefined && !mutant) {
  refuse(`there is no mutant ${values.mutant}; there are: ${mutants.map(({ name }) => name).join(', ')}`);
}
const named = capabilities.filter(({ name }) => values.capability === undefined || name === values.capability);
if (named.length === 0) {
  const names = capabilities.map(({ name }) => name).join(', ');
  refuse(`there is no capability ${values.capability}; there are: ${names}`);
}
// A mutant is one of its own capability, and shows nothing in another's runs.
const chosen = named.filter((capability) => !mutant || capability.mutants.includes(mutant));
if (chosen.length === 0) refuse(`${values.mutant} is no mutant of ${values.capability}`);

const started = Date.now();
let violations = 0;
for (const capability of chosen) {
  const found = await run(capability);
  violations += found;
  console.log(`${capability.name}: runs ${runs} violations ${found}`);
}
console.log(`${((Date.now() - started) / 1000).toFixed(1)} s, seeds ${firstSeed} to ${firstSeed + runs - 1}`);
console.log(`runs ${runs * chosen.length} violations ${violations}`);
if (violations > 0) process.exitCode = 1;

async function run(capability: Capability): Promise<number> {
  let found = 0;
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
    const plan: Plan = { seed, ...everything(capability), ...(mutant ? { mutant } : {}) };
    if (await simulate(plan)) {
      found += 1;
      if (found === 1) console.log(await shrink(plan));
    }
    if (process.stdout.isTTY && seed % 500 === 0) process.stdout.write(`\r${seed - firstSeed + 1} of ${runs} runs`);
  }
  if (process.stdout.isTTY) process.stdout.write('\r');
  return found;
}

function refuse(reason: string): never {
  console.error(reason);
  process.exit(2);
}
