import { describe, expect, test } from '@jest/globals';
import { lengthOf } from '../../support/soak.ts';
import { catchMutant } from '../caught-by.ts';
import { forwarderMutants } from './mutants.ts';
import { shrinkForwarder } from './shrink-forwarder.ts';
import { simulateForwarder } from './simulate-forwarder.ts';
import { troubles } from './troubles.ts';

const runs = lengthOf({ gate: 250, soak: 1_000 });
/** Most mutants are caught by the first few dozen seeds; more would only cost time. */
const runsUntilCaught = 1_500;

describe('the simulation of the forwarder', () => {
  test('finds that nothing is lost, out of order, or sent by two, whatever goes wrong', async () => {
    for (let seed = 1; seed <= runs; seed += 1) {
      const plan = { seed, troubles };
      if (await simulateForwarder(plan)) throw new Error(await shrinkForwarder(plan));
    }
  });

  test('finds that no more waits than may, when more comes than can be sent', async () => {
    for (const seed of [1, 3, 7]) expect(await simulateForwarder({ seed, troubles, isBurst: true })).toBeUndefined();
  });

  test('says the same of the same seed', async () => {
    const mutant = forwarderMutants[0];
    if (!mutant) throw new Error('there are no mutants');
    const results = async () => {
      const found = [];
      for (let seed = 1; seed <= 30; seed += 1) found.push(await simulateForwarder({ seed, troubles, mutant }));
      return found;
    };
    const first = await results();
    expect(first.some((found) => found !== undefined)).toBe(true);
    expect(await results()).toEqual(first);
  });

  test.each(forwarderMutants)('catches the mutant $name', (mutant) =>
    catchMutant(`forwarder: ${mutant.name}`, runsUntilCaught, (seed) => simulateForwarder({ seed, troubles, mutant })),
  );
});
