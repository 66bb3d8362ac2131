import { populatedConditionOf, populatedType } from '../../../lib/capabilities/data-sources/populated.ts';
import type { Claim, Condition } from '../../../lib/kubernetes/objects.ts';
import type { Decision, World, Write } from '../../../lib/reconcile/step.ts';
import { type Decide, deciding } from '../mutating.ts';

/** What the mutants tell users instead of what is right. Each message is told once, as the right one is. */

interface OfClaim extends World {
  readonly claim?: Claim | undefined;
}

const condition = 'as long as this claim has no volume, ';

/** What lies in another volume than it was made from is told as it once was. */
export function advisingToDelete<W extends OfClaim>() {
  return wording<W>(({ reason, message }) =>
    reason === 'BoundToOtherVolume' ? `${message}; delete the claim, and create it again` : message,
  );
}

/** Who reads it late is not told that it is late. */
export function unconditionally<W extends OfClaim>() {
  return wording<W>(({ message }) => message.replace(condition, ''));
}

function wording<W extends OfClaim>(change: (said: Condition) => string) {
  return deciding<W>((decide, world, now) => {
    const decision = decide(world, now);
    const said = decision.do === 'write' ? saidBy(decision.write) : undefined;
    if (!said || decision.do !== 'write') return decision;
    const message = change(said);
    const isTold = world.claim && populatedConditionOf(world.claim)?.message === message;
    return isTold ? asTold(decide, world, said, now) : { do: 'write', write: withMessage(decision.write, change) };
  });
}

function saidBy(write: Write): Condition | undefined {
  if (write.verb !== 'patch' || write.slot !== 'claim') return undefined;
  const { status } = write.body as { status?: { conditions?: Condition[] } };
  return status?.conditions?.find(({ type }) => type === populatedType);
}

function asTold<W extends OfClaim>(decide: Decide<W>, world: W, said: Condition, now: Date): Decision {
  const others = world.claim?.status?.conditions?.filter(({ type }) => type !== populatedType) ?? [];
  const status = { ...world.claim?.status, conditions: [...others, said] };
  return decide({ ...world, claim: { ...world.claim, status } } as W, now);
}

/** The Events that go with it say the same. */
function withMessage(write: Write, change: (said: Condition) => string): Write {
  const body = (write as { body: { status: { conditions: Condition[] } } }).body;
  const conditions = body.status.conditions.map((said) =>
    said.type === populatedType ? { ...said, message: change(said) } : said,
  );
  const announce = write.announce?.map((event) => {
    const { reason, message } = event;
    const said = { type: populatedType, status: 'False', reason, message, lastTransitionTime: '' } as const;
    return { ...event, message: change(said) };
  });
  return { ...write, body: { status: { conditions } }, ...(announce ? { announce } : {}) } as Write;
}
