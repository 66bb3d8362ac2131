import { describe, expect, test } from '@jest/globals';
import { lengthOf } from '../../support/soak.ts';
import { buckets } from '../buckets/capability.ts';
import { capabilities } from '../capabilities.ts';
import type { Capability, Scenario } from '../capability.ts';
import { catchMutant } from '../caught-by.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import { everything, type Plan, type Replays } from '../plan.ts';
import { shrink } from '../shrink.ts';
import { simulate } from '../simulation.ts';
import { transfers } from '../transfers/capability.ts';
import { finalState } from './final-state.ts';
import { replayMutants } from './mutants.ts';

const runs = lengthOf({ gate: 60, soak: 500 });
/** Each mutant is found by the first few dozen seeds of one of the capabilities. */
const runsUntilCaught = 500;
const compared = [buckets, transfers];

/** Nothing goes wrong but what is lost on purpose; nobody interferes, and nothing is ever listed again. */
function calm(capability: Capability, seed: number, replays?: Replays): Plan {
  return { capability, seed, faults: [], actions: [], resync: false, ...(replays ? { replays } : {}) };
}

describe.each(capabilities)('replays of everything in the simulation of $name', (capability) => {
  test('do no harm while messages come in, whatever fails and whoever interferes, and change nothing in the end', async () => {
    for (let seed = 1; seed <= runs; seed += 1) {
      const plan: Plan = { seed, ...everything(capability), replays: { doQueuesLose: false } };
      if (await simulate(plan)) throw new Error(await shrink(plan));
    }
  });

  test('bring back what queues have lost, without anything being listed again', async () => {
    for (let seed = 1; seed <= runs; seed += 1) {
      const found = await simulate(calm(capability, seed, { doQueuesLose: true }));
      if (found) throw new Error(`seed ${seed}: ${found.violation}\n${found.trace.join('\n')}`);
    }
  });
});

test.each(compared)(
  'runs of $name come to the same end with replays, with losses and replays, and with neither',
  async (capability) => {
    let count = 0;
    for (let seed = 1; seed <= runs; seed += 1) {
      const ends: string[][] = [];
      let isOpen = false;
      const onEnd = (cluster: FakeCluster, scenario: Scenario) => {
        ends.push(finalState(cluster));
        isOpen ||= scenario.isOpen === true;
      };
      for (const replays of [undefined, { doQueuesLose: false }, { doQueuesLose: true }]) {
        await simulate({ ...calm(capability, seed, replays), onEnd });
      }
      if (isOpen) continue;
      count += 1;
      const [neither, ...others] = ends;
      for (const other of others) expect({ seed, end: other }).toEqual({ seed, end: neither });
      expect(ends).toHaveLength(3);
    }
    expect(count).toBeGreaterThan(runs / 10);
  },
);

test.each(replayMutants)('the mutant $name is caught: what was lost stays lost', (mutant) =>
  catchMutant(`replay: ${mutant.name}`, runsUntilCaught, async (seed) => {
    const plan = (capability: Capability) => calm(capability, seed, { doQueuesLose: true, mutant });
    return (await simulate(plan(buckets))) ?? (await simulate(plan(transfers)));
  }),
);
