import type { Claim } from '../../../../kubernetes/objects.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { note, patchStatus, type WriteEffects, warn } from '../../../../reconcile/writes.ts';
import { type Found, measuredFailure } from '../../measurements.ts';
import { isPopulatedReported, type Populated, populatedConditionOf, statusWithPopulated } from '../../populated.ts';
import { claimPart } from './parts.ts';
import type { PopulatingWorld } from './world.ts';

/** An unrelated free volume was bound to the claim. Once reported, it stays true for this claim. */
export const strayReason = 'OtherVolumeMatches';

/** Why a claim is not populated yet, or will not be. */
export interface Problem {
  verdict: 'wait' | 'reject';
  reason: string;
  message: string;
  /** The work that was begun must not continue: the copies are deleted. Otherwise they wait with the claim. */
  endsWork?: boolean;
  /** A normal state: no one has to act. */
  isOrdinary?: boolean;
}

/** The write that reports this on the claim; undefined if the claim reports it already. */
export function setPopulated(
  claim: Claim,
  populated: Populated,
  now: Date,
  effects: WriteEffects = {},
): Decision<PopulatingWorld> | undefined {
  if (isPopulatedReported(claim, populated)) return undefined;
  return patchStatus(claimPart, claim, statusWithPopulated(claim, populated, now), effects);
}

export function reportProblem(
  world: Found,
  claim: Claim,
  problem: Problem,
  now: Date,
): Decision<PopulatingWorld> | undefined {
  const { reason, message, isOrdinary = false } = problem;
  const before = populatedConditionOf(claim)?.reason;
  if (before === strayReason) return undefined;
  const isNews = before !== reason;
  const effects = isOrdinary
    ? { announce: isNews ? [note(claim, reason, message)] : [] }
    : { announce: [warn(claim, reason, message)], ...(isNews ? { measure: [measuredFailure(claim, world)] } : {}) };
  return setPopulated(claim, { status: 'False', reason, message }, now, effects);
}

export function blocked(world: Found, claim: Claim, problem: Problem, now: Date): Decision<PopulatingWorld> {
  const { verdict, reason, message } = problem;
  return reportProblem(world, claim, problem, now) ?? { do: verdict, reason, message };
}
