import type { Claim, Condition } from '../../kubernetes/objects.ts';
import { resources } from '../../kubernetes/resources.ts';
import { isSame, type Said } from '../../reconcile/conditions.ts';
import { type Report, type ReportedPart, report } from '../../reconcile/report.ts';
import type { WriteDecision } from '../../reconcile/writes.ts';
import type { DataReason } from './reasons.ts';

/**
 * The condition that reports if the requested data is in the claim's volume. Conditions of others on the claim stay.
 */
export const populatedType = 'DataPopulated';

export type Populated = Omit<Said<DataReason>, 'type'>;

const part: ReportedPart<'claim', Claim> = {
  slot: 'claim',
  resource: resources.claim,
  readiness: 'none',
  isOurs: (type) => type === populatedType,
  arrange: (ours, others, place) => others.toSpliced(place, 0, ...ours),
};

export function populatedConditionOf({ status }: Claim): Condition | undefined {
  return status?.conditions?.find(({ type }) => type === populatedType);
}

export function isPopulatedReported(claim: Claim, populated: Populated): boolean {
  return isSame(populatedConditionOf(claim), { type: populatedType, ...populated });
}

/** The write that reports this on a claim; undefined if the claim reports it already. */
export function reportPopulated(
  claim: Claim,
  populated: Populated,
  now: Date,
  effects: Pick<Report, 'event' | 'newsIn' | 'measure'> = {},
): WriteDecision<'claim', Claim, DataReason> | undefined {
  return report(part, claim, { said: [{ type: populatedType, ...populated }], ...effects }, now);
}
