import type { ForwarderPlan } from './play.ts';
import { type Found, simulateForwarder } from './simulate-forwarder.ts';

/** How many seeds are tried to find the same violation with less going wrong. */
const seedsPerTry = 40;

interface Smaller extends Found {
  plan: ForwarderPlan;
}

/** Looks for the same violation with fewer kinds of trouble, and tells how to see it again. */
export async function shrinkForwarder(plan: ForwarderPlan): Promise<string> {
  const original = await simulateForwarder(plan);
  if (!original) return `seed ${plan.seed} shows no violation`;
  let smallest: Smaller = { plan, ...original };
  for (const trouble of plan.troubles) {
    const kept = smallest.plan.troubles.filter((other) => other !== trouble);
    const smaller = await findSame({ ...smallest.plan, troubles: kept }, kindOf(original.violation));
    if (smaller) smallest = smaller;
  }
  const { troubles, seed } = smallest.plan;
  const which = plan.mutant ? ` --mutant ${plan.mutant.name}` : '';
  return [
    `VIOLATION with seed ${plan.seed}: ${original.violation}`,
    `smallest: seed ${seed}, troubles [${troubles.join(', ')}]: ${smallest.violation}`,
    ...smallest.trace.map((line) => `  ${line}`),
    `again: npm run simulate -- --forwarder --runs 1 --seed ${plan.seed}${which}`,
  ].join('\n');
}

async function findSame(plan: ForwarderPlan, kind: string): Promise<Smaller | undefined> {
  let shortest: Smaller | undefined;
  for (let offset = 0; offset < seedsPerTry; offset += 1) {
    const candidate = { ...plan, seed: plan.seed + offset };
    const found = await simulateForwarder(candidate);
    if (!found || kindOf(found.violation) !== kind) continue;
    if (!shortest || found.trace.length < shortest.trace.length) shortest = { plan: candidate, ...found };
  }
  return shortest;
}

/** The same thing can go wrong with any name, kind or version. */
function kindOf(violation: string): string {
  const names = /\b(tasks|parts|extras|do-task|keep-part|works\/\w+|\w+@\w+|bolt|gear|spring|extras\.extra\.test)\b/g;
  return violation.replaceAll(names, '').replaceAll(/\d+/g, '');
}
