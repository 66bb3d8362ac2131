import { describe, expect, test } from '@jest/globals';
import { isSoak, lengthOf } from '../support/soak.ts';
import type { Capability } from './capability.ts';
import { catchMutant } from './caught-by.ts';
import { engineMutants } from './engine-mutants.ts';
import { everything } from './plan.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulation.ts';

const runs = lengthOf({ gate: 250, soak: 1_500 });
const embeddedRuns = lengthOf({ gate: 50, soak: 500 });
/** Most mutants are found by the first few hundred seeds, and the rarest, which only the soak has, by one in 15,000. */
const runsUntilCaught = lengthOf({ gate: 6_000, soak: 40_000 });

/**
 * What is demanded of each capability. The actions that nothing watches for are taken up by the next resync, and so are
 * left out where there is none.
 */
export function describeSimulation(capability: Capability, unwatched: readonly string[]): void {
  const all = everything(capability);

  describe(`the simulation of ${capability.name}`, () => {
    test('finds no violation in the product, whatever fails and whoever interferes', async () => {
      for (let seed = 1; seed <= runs; seed += 1) {
        const plan = { seed, ...all };
        if (await simulate(plan)) throw new Error(await shrink(plan));
      }
    });

    test('finds none with the queues of `longshore run`, whose process is killed at any time', async () => {
      for (let seed = 1; seed <= embeddedRuns; seed += 1) {
        const plan = { seed, ...all, engine: 'embedded' as const };
        if (await simulate(plan)) throw new Error(await shrink(plan));
      }
    });

    test.each(engineMutants)('catches the queues of `longshore run` with the mutant $name', (engine) =>
      catchMutant(`${capability.name}, embedded: ${engine.name}`, runsUntilCaught, (seed) =>
        simulate({ seed, ...all, engine }),
      ),
    );

    test('needs no resync to go on when nothing is lost', async () => {
      const actions = capability.userActions.filter((action) => !unwatched.includes(action));
      for (let seed = 1; seed <= runs; seed += 1) {
        const found = await simulate({ capability, seed, faults: [], actions, resync: false });
        if (found) throw new Error(`seed ${seed}: ${found.violation}\n${found.trace.join('\n')}`);
      }
    });

    test('says the same of the same seed', async () => {
      const mutant = capability.mutants[0];
      if (!mutant) throw new Error('there are no mutants');
      const seeds = Array.from({ length: 20 }, (_, index) => index + 1);
      const results = async () => Promise.all(seeds.map((seed) => simulate({ seed, ...all, mutant })));
      expect(await results()).toEqual(await results());
    });

    test.each(capability.mutants.filter(({ isRare }) => isSoak || !isRare))('catches the mutant $name', (mutant) =>
      catchMutant(`${capability.name}: ${mutant.name}`, runsUntilCaught, (seed) => simulate({ seed, ...all, mutant })),
    );
  });
}
