import type { Claim, Condition } from '../../kubernetes/objects.ts';
import { isSame, type Said, stamp } from '../../reconcile/conditions.ts';

/** Whether the data that a claim asked for is in its volume. Claims have conditions of other people's, which stay. */
export const populatedType = 'DataPopulated';

export type Populated = Omit<Said, 'type'>;

export function populatedConditionOf({ status }: Claim): Condition | undefined {
  return status?.conditions?.find(({ type }) => type === populatedType);
}

export function isPopulatedReported(claim: Claim, populated: Populated): boolean {
  return isSame(populatedConditionOf(claim), { type: populatedType, ...populated });
}

/** The status of a claim that says so; a claim's conditions know no generation. */
export function statusWithPopulated(claim: Claim, populated: Populated, now: Date): { conditions: Condition[] } {
  const before = claim.status?.conditions ?? [];
  const said = stamp({ type: populatedType, ...populated }, before, undefined, now);
  const index = before.findIndex(({ type }) => type === populatedType);
  return { conditions: index < 0 ? [...before, said] : before.with(index, said) };
}
