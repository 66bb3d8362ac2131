import type { Claim } from '../../../../kubernetes/objects.ts';
import { reject } from '../../../../reconcile/obstacle.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { checkedSourceOf, isAtRest } from '../../judge/checked.ts';
import { judge } from '../../judge/judge.ts';
import { type Judgement, unknown, warning } from '../../judge/judgement.ts';
import { reportPopulated } from '../../populated.ts';
import type { CheckingWorld } from './read.ts';

export function decide(world: CheckingWorld, now: Date): Decision<CheckingWorld> {
  const { claim, settings, refused } = world;
  if (!claim || claim.metadata.deletionTimestamp) return { do: 'done', reason: 'ClaimGone' };
  const source = checkedSourceOf(claim);
  if (!source) return { do: 'done', reason: 'NothingToCheck' };
  if (!settings?.dataPopulated.isOn) return { do: 'done', reason: 'SwitchedOff' };
  if (refused) return reject('WriteRefused', refused.message);
  const judgement = judge(claim, source, world);
  return setPopulated(claim, judgement, now) ?? outcomeOf(judgement);
}

/** Earlier results stay: a read that fails now does not change them. */
export function decideFailed({ claim, settings }: CheckingWorld, failure: string, now: Date): Decision<CheckingWorld> {
  const done = reject('CheckFailed', failure);
  if (!claim || !settings?.dataPopulated.isOn || isAtRest(claim)) return done;
  const message = `could not find out whether the data is there, and will try again: ${failure}`;
  return setPopulated(claim, warning(unknown({ reason: 'CheckFailed', message })), now) ?? done;
}

/** Success is reported in one Event, even if its message changes. */
function setPopulated(claim: Claim, { said, event }: Judgement, now: Date): Decision<CheckingWorld> | undefined {
  return reportPopulated(claim, said, now, { event, newsIn: 'status' });
}

function outcomeOf({ said, next }: Judgement): Decision<CheckingWorld> {
  const { reason, message } = said;
  return next === 'done' ? { do: next, reason } : { do: next, reason, message };
}
