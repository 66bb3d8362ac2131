import type { Decision, Step, Write } from '../../lib/reconcile/step.ts';
import type { TransferWorld } from '../../lib/transfers/world.ts';

/** Ways of making a right step wrong. */

export type Decide = Step<TransferWorld>['decide'];

export function deciding(change: (decide: Decide, world: TransferWorld, now: Date) => Decision) {
  return (step: Step<TransferWorld>): Step<TransferWorld> => ({
    ...step,
    decide: (world, now) => change(step.decide, world, now),
  });
}

export function changing(applies: (write: Write) => boolean, change: (write: Write) => Write | undefined) {
  return deciding((decide, world, now) => {
    const decision = decide(world, now);
    if (decision.do !== 'write' || !applies(decision.write)) return decision;
    const write = change(decision.write);
    return write ? { do: 'write', write } : { do: 'done', reason: 'Mutated' };
  });
}

/** A worker that remembers, or overlooks, part of what it should have read. */
export function reading(change: (world: TransferWorld) => TransferWorld) {
  return (step: Step<TransferWorld>): Step<TransferWorld> => ({
    ...step,
    read: async (cluster, key, now) => change(await step.read(cluster, key, now)),
  });
}

export function bodyOf(write: Write): string {
  return write.verb === 'patch' ? JSON.stringify(write.body) : '';
}

export function withoutSpec(write: Write): Write {
  if (write.verb !== 'patch') return write;
  const { spec: _, ...body } = write.body as { spec?: unknown };
  return { ...write, body };
}

export function toNothing(): undefined {
  return undefined;
}

/** A worker that takes what it knows for something else, whatever the server answers. */
export function seeing(change: (world: TransferWorld) => TransferWorld) {
  return deciding((decide, world, now) => decide(change(world), now));
}
