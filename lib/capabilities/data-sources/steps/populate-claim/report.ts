import type { Claim } from '../../../../kubernetes/objects.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { type Found, measuredFailure } from '../../measurements.ts';
import { populatedConditionOf, reportPopulated } from '../../populated.ts';
import { type DataObstacle, dataReasons } from '../../reasons.ts';
import type { PopulatingWorld } from './world.ts';

/** The write that reports on a claim why it is not populated; undefined if the claim reports it already. */
export function reportObstacle(
  world: Found,
  claim: Claim,
  { reason, message }: DataObstacle,
  now: Date,
): Decision<PopulatingWorld> | undefined {
  const before = populatedConditionOf(claim)?.reason;
  // An unrelated free volume was bound to the claim: that stays true for this claim.
  if (before === 'OtherVolumeMatches') return undefined;
  const measure = before === reason ? undefined : [measuredFailure(claim, world)];
  const effects = dataReasons[reason].isOrdinary
    ? ({ event: 'Normal', newsIn: 'reason' } as const)
    : ({ event: 'Warning', measure } as const);
  return reportPopulated(claim, { status: 'False', reason, message }, now, effects);
}

export function blocked(world: Found, claim: Claim, obstacle: DataObstacle, now: Date): Decision<PopulatingWorld> {
  return reportObstacle(world, claim, obstacle, now) ?? obstacle;
}
