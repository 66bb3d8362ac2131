import { parseArgs } from 'node:util';
import { capabilities, mutants } from './capabilities.ts';
import type { Capability } from './capability.ts';
import { engineMutants } from './engine-mutants.ts';
import { forwarderMutants } from './forwarder/mutants.ts';
import { runForwarder } from './forwarder/run-forwarder.ts';
import { everything, type Plan } from './plan.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulation.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    capability: { type: 'string' },
    mutant: { type: 'string' },
    replays: { type: 'boolean', default: false },
    forwarder: { type: 'boolean', default: false },
    engine: { type: 'string', default: 'sqs' },
    list: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const firstSeed = Number(values.seed);
if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(firstSeed)) {
  refuse(
    'usage: npm run simulate -- [--runs N] [--seed S] [--forwarder | --capability NAME] [--mutant NAME] [--replays] [--engine sqs|embedded] [--list]; N and S are whole numbers',
  );
}
if (values.forwarder) await simulateTheForwarder();
const { engine: engineName } = values;
if (engineName !== 'sqs' && engineName !== 'embedded') refuse('--engine must be sqs or embedded');
const engineMutant = engineMutants.find(({ name }) => name === values.mutant);
if (engineMutant && engineName !== 'embedded') refuse(`${engineMutant.name} is a mutant of --engine embedded`);
const engine = engineMutant ?? engineName;
const mutant = mutants.find(({ name }) => name === values.mutant);
if (values.mutant !== undefined && !mutant && !engineMutant) {
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
conclude(started, runs * chosen.length, violations);

/** It knows of no capability, and has runs and mutants of its own. */
async function simulateTheForwarder(): Promise<never> {
  if (values.capability !== undefined) refuse('--forwarder goes without --capability: it is about no capability');
  const chosenMutant = forwarderMutants.find(({ name }) => name === values.mutant);
  if (values.mutant !== undefined && !chosenMutant) {
    const names = forwarderMutants.map(({ name }) => name).join(', ');
    refuse(`there is no mutant ${values.mutant} of the forwarder; there are: ${names}`);
  }
  const begun = Date.now();
  const found = await runForwarder({ runs, firstSeed, mutant: chosenMutant });
  conclude(begun, runs, found);
  process.exit();
}

function conclude(begun: number, all: number, found: number): void {
  console.log(`${((Date.now() - begun) / 1000).toFixed(1)} s, seeds ${firstSeed} to ${firstSeed + runs - 1}`);
  console.log(`runs ${all} violations ${found}`);
  if (found > 0) process.exitCode = 1;
}

async function run(capability: Capability): Promise<number> {
  let found = 0;
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
    const replays = values.replays ? { replays: { doQueuesLose: false } } : {};
    const plan: Plan = { seed, ...everything(capability), engine, ...(mutant ? { mutant } : {}), ...replays };
    const wrong = await simulate(plan);
    if (wrong) {
      found += 1;
      if (values.list) console.log(`seed ${seed}: ${wrong.violation}`);
      else if (found === 1) console.log(await shrink(plan));
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
