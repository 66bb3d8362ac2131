import { readFileSync, writeFileSync } from 'node:fs';
import { isSoak } from '../support/soak.ts';

/** By simulation and mutant, the first seed that catches it; docs/development.md says how it is recorded. */
const recordPath = new URL('./caught-by.json', import.meta.url);
const isRecording = process.env.LONGSHORE_RECORD_SEEDS === 'on';
/** A seed that is caught this early is found as fast without a record. */
const earlySeed = 5;

interface Found {
  violation: string;
}

/**
 * Runs seed after seed until the mutant is caught. The gate begins with the seed that caught it when seeds were last recorded:
 * after a change of the product that one may miss it, and then it takes as long as the search in the soak, which begins anew.
 */
export async function catchMutant(
  key: string,
  maxSeeds: number,
  run: (seed: number) => Promise<Found | undefined>,
): Promise<void> {
  const known = isSoak || isRecording ? undefined : readRecord()[key];
  for (const seed of seedsUpTo(maxSeeds, known)) {
    const found = await run(seed);
    if (!found) continue;
    if (found.violation === '') throw new Error(`seed ${seed} of ${key} does not say what is wrong`);
    if (isRecording) record(key, seed);
    return;
  }
  throw new Error(`${key} passed ${maxSeeds} runs unnoticed`);
}

function* seedsUpTo(last: number, first: number | undefined): Generator<number> {
  if (first !== undefined) yield first;
  for (let seed = 1; seed <= last; seed += 1) yield seed;
}

function readRecord(): Record<string, number> {
  return JSON.parse(readFileSync(recordPath, 'utf8')) as Record<string, number>;
}

function record(key: string, seed: number): void {
  const { [key]: _, ...others } = readRecord();
  const all = Object.entries(seed > earlySeed ? { ...others, [key]: seed } : others);
  const sorted = all.sort(([one], [other]) => one.localeCompare(other));
  writeFileSync(recordPath, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
