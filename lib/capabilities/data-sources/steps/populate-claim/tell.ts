import type { Claim } from '../../../../kubernetes/objects.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { note, patchStatus, type Telling, warn } from '../../../../reconcile/writes.ts';
import { type Found, measuredFailure } from '../../measurements.ts';
import { isPopulatedSaid, type Populated, populatedConditionOf, statusSaying } from '../../populated.ts';
import { claimPart } from './parts.ts';
import type { PopulatingWorld } from './world.ts';

/** What lay about was taken for the claim: said once, it holds for this claim. */
export const strayReason = 'OtherVolumeMatches';

/** Why a claim is not populated yet, or will not be. */
export interface Problem {
  verdict: 'wait' | 'reject';
  reason: string;
  message: string;
  /** Nobody may go on with what was begun: the copies are deleted. Without it they wait with the claim. */
  endsWork?: boolean;
  /** It is the ordinary course of things, and nobody has to act. */
  isOrdinary?: boolean;
}

/** The write that makes a claim say so, or undefined when it says so already. */
export function say(
  claim: Claim,
  populated: Populated,
  now: Date,
  telling: Telling = {},
): Decision<PopulatingWorld> | undefined {
  if (isPopulatedSaid(claim, populated)) return undefined;
  return patchStatus(claimPart, claim, statusSaying(claim, populated, now), telling);
}

export function sayProblem(
  world: Found,
  claim: Claim,
  problem: Problem,
  now: Date,
): Decision<PopulatingWorld> | undefined {
  const { reason, message, isOrdinary = false } = problem;
  const before = populatedConditionOf(claim)?.reason;
  if (before === strayReason) return undefined;
  const isNews = before !== reason;
  const telling = isOrdinary
    ? { announce: isNews ? [note(claim, reason, message)] : [] }
    : { announce: [warn(claim, reason, message)], ...(isNews ? { measure: [measuredFailure(claim, world)] } : {}) };
  return say(claim, { status: 'False', reason, message }, now, telling);
}

export function blocked(world: Found, claim: Claim, problem: Problem, now: Date): Decision<PopulatingWorld> {
  const { verdict, reason, message } = problem;
  return sayProblem(world, claim, problem, now) ?? { do: verdict, reason, message };
}
