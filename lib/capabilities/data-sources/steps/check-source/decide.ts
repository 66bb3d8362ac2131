import type { Claim } from '../../../../kubernetes/objects.ts';
import { resources } from '../../../../kubernetes/resources.ts';
import type { Announcement, Decision } from '../../../../reconcile/step.ts';
import { patchStatus } from '../../../../reconcile/writes.ts';
import { checkedSourceOf, isAtRest } from '../../judge/checked.ts';
import { judge } from '../../judge/judge.ts';
import { type Judgement, unknown, warning } from '../../judge/judgement.ts';
import { isPopulatedReported, populatedConditionOf, statusWithPopulated } from '../../populated.ts';
import type { CheckingWorld } from './read.ts';

const part = { slot: 'claim', resource: resources.claim } as const;

export function decide(world: CheckingWorld, now: Date): Decision<CheckingWorld> {
  const { claim, settings, refused } = world;
  if (!claim || claim.metadata.deletionTimestamp) return { do: 'done', reason: 'ClaimGone' };
  const source = checkedSourceOf(claim);
  if (!source) return { do: 'done', reason: 'NothingToCheck' };
  if (!settings?.dataPopulated.isOn) return { do: 'done', reason: 'SwitchedOff' };
  if (refused) return { do: 'reject', reason: 'WriteRefused', message: refused.message };
  const judgement = judge(claim, source, world);
  return setPopulated(claim, judgement, now) ?? outcomeOf(judgement);
}

/** What has been found out stays: that it cannot be looked at now makes no difference to it. */
export function decideFailed({ claim, settings }: CheckingWorld, failure: string, now: Date): Decision<CheckingWorld> {
  const done: Decision<CheckingWorld> = { do: 'reject', reason: 'CheckFailed', message: failure };
  if (!claim || !settings?.dataPopulated.isOn || isAtRest(claim)) return done;
  const message = `could not find out whether the data is there, and will try again: ${failure}`;
  return setPopulated(claim, warning(unknown({ reason: 'CheckFailed', message })), now) ?? done;
}

function setPopulated(claim: Claim, judgement: Judgement, now: Date): Decision<CheckingWorld> | undefined {
  const { said } = judgement;
  if (isPopulatedReported(claim, said)) return undefined;
  return patchStatus(part, claim, statusWithPopulated(claim, said, now), {
    announce: announcementsOf(claim, judgement),
  });
}

/** Good news is told once, however its words may change. */
function announcementsOf(claim: Claim, { said, event }: Judgement): Announcement[] {
  const isOld = event === 'Normal' && populatedConditionOf(claim)?.status === said.status;
  return event && !isOld ? [{ regarding: claim, type: event, reason: said.reason, message: said.message }] : [];
}

function outcomeOf({ said, next }: Judgement): Decision<CheckingWorld> {
  const { reason, message } = said;
  return next === 'done' ? { do: next, reason } : { do: next, reason, message };
}
