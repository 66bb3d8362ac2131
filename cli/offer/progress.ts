import type { Claim, Condition } from '../../lib/kubernetes/objects.ts';
import { sentenceOf } from '../move/progress.ts';
import type { Progress } from '../objects/follow.ts';

export const transferCondition = 'Transferred';

/** The progress that a claim shows in a condition. It must stay the claim that was followed from the beginning. */
export function claimProgress(
  claim: Claim | undefined,
  {
    type,
    what,
    uid,
    isOver,
  }: { type: string; what: string; uid: string | undefined; isOver: (claim: Claim) => boolean },
): Progress {
  if (!claim) return { stage: 'gone', lines: [], problem: `${what} does not exist any more` };
  if (claim.metadata.uid !== uid) {
    return {
      stage: 'gone',
      lines: [],
      problem: `${what} is another one by now: somebody has deleted and recreated it`,
    };
  }
  const said = conditionOf(claim, type);
  const lines = said && said.status !== 'True' ? [sentenceOf(said)] : [];
  return { stage: said ? `waiting: ${said.reason}` : 'waiting', lines, isOver: isOver(claim), isSilent: !said };
}

export function conditionOf({ status }: Claim, wanted: string): Condition | undefined {
  return status?.conditions?.find(({ type }) => type === wanted);
}
