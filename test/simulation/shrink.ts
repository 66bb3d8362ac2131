import type { Plan } from './plan.ts';
import { simulate } from './simulation.ts';

/** How many seeds are tried to find the same violation with less going on. */
const seedsPerTry = 60;

/** Looks for the same violation with fewer kinds of faults and actions, and tells how to see it again. */
export async function shrink(plan: Plan): Promise<string> {
  const original = await simulate(plan);
  if (!original) return `seed ${plan.seed} shows no violation`;
  let smallest = { plan, ...original };
  for (const part of ['faults', 'actions'] as const) {
    for (const item of plan[part]) {
      const kept = (smallest.plan[part] as readonly string[]).filter((other) => other !== item);
      const smaller = await findSame({ ...smallest.plan, [part]: kept } as Plan, original.violation);
      if (smaller) smallest = smaller;
    }
  }
  const { faults, actions, seed } = smallest.plan;
  return [
    `VIOLATION with seed ${plan.seed}: ${original.violation}`,
    `smallest: seed ${seed}, faults [${faults.join(', ')}], actions [${actions.join(', ')}]`,
    ...smallest.trace.map((line) => `  ${line}`),
    `again: ${commandOf(plan)}`,
  ].join('\n');
}

function commandOf({ capability, seed, mutant, replays, engine = 'sqs' }: Plan): string {
  const which = mutant ? `--mutant ${mutant.name}` : `--capability ${capability.name}`;
  const more = typeof engine === 'object' ? ` --mutant ${engine.name}` : '';
  const through = engine === 'sqs' ? '' : ` --engine embedded${more}`;
  return `npm run simulate -- --runs 1 --seed ${seed} ${which}${replays ? ' --replays' : ''}${through}`;
}

async function findSame(plan: Plan, violation: string) {
  let shortest: { plan: Plan; violation: string; trace: string[] } | undefined;
  for (let offset = 0; offset < seedsPerTry; offset += 1) {
    const candidate = { ...plan, seed: plan.seed + offset };
    const found = await simulate(candidate);
    if (found?.violation !== violation) continue;
    if (!shortest || found.trace.length < shortest.trace.length) shortest = { plan: candidate, ...found };
  }
  return shortest;
}
