import type { ForwarderMutant } from './mutant.ts';
import type { ForwarderPlan } from './play.ts';
import { shrinkForwarder } from './shrink-forwarder.ts';
import { simulateForwarder } from './simulate-forwarder.ts';
import { troubles } from './troubles.ts';

export interface ForwarderRuns {
  runs: number;
  firstSeed: number;
  mutant: ForwarderMutant | undefined;
}

/** Runs so many seeds, tells the first violation, and answers how many there were. */
export async function runForwarder({ runs, firstSeed, mutant }: ForwarderRuns): Promise<number> {
  let found = 0;
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
    const plan: ForwarderPlan = { seed, troubles, ...(mutant ? { mutant } : {}) };
    if (await simulateForwarder(plan)) {
      found += 1;
      if (found === 1) console.log(await shrinkForwarder(plan));
    }
    if (process.stdout.isTTY && seed % 500 === 0) process.stdout.write(`\r${seed - firstSeed + 1} of ${runs} runs`);
  }
  if (process.stdout.isTTY) process.stdout.write('\r');
  return found;
}
