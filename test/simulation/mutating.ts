import type { Decision, Step, World, Write } from '../../lib/reconcile/step.ts';

/** Ways of making a right step wrong. */

export type Decide<W extends World> = (world: W, now: Date) => Decision<W>;

/** What a step that is wrong decides is nothing for the compiler to look at. */
export function deciding<W extends World>(change: (decide: Decide<W>, world: W, now: Date) => Decision) {
  return (step: Step<W>): Step<W> => ({
    ...step,
    decide: (world, now) => change(step.decide as Decide<W>, world, now) as Decision<W>,
  });
}

export function changing<W extends World>(
  applies: (write: Write) => boolean,
  change: (write: Write) => Write | undefined,
) {
  return deciding<W>((decide, world, now) => {
    const decision = decide(world, now);
    if (decision.do !== 'write' || !applies(decision.write)) return decision;
    const write = change(decision.write);
    return write ? { do: 'write', write } : { do: 'done', reason: 'Mutated' };
  });
}

/** A worker that remembers, or overlooks, part of what it should have read. */
export function reading<W extends World>(change: (world: W) => W) {
  return (step: Step<W>): Step<W> => ({
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
export function seeing<W extends World>(change: (world: W) => W) {
  return deciding<W>((decide, world, now) => decide(change(world), now));
}
