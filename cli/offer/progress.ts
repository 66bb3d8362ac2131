import type { Claim, Condition } from '../../lib/kubernetes/objects.ts';
import { sentenceOf } from '../move/progress.ts';
import type { Progress } from '../objects/follow.ts';

export const transferCondition = 'Transferred';

interface Watched {
  /** Of the condition that shows the progress. */
  type: string;
  what: string;
  uid: string | undefined;
  isOver: (claim: Claim) => boolean;
  /** What it shows otherwise than by the condition, if it does. */
  shows?: (claim: Claim) => string | undefined;
}

/** The progress that a claim shows in a condition. It must stay the claim that was followed from the beginning. */
export function claimProgress(claim: Claim | undefined, { type, what, uid, isOver, shows }: Watched): Progress {
  if (!claim) return { stage: 'gone', lines: [], problem: `${what} does not exist any more` };
  if (claim.metadata.uid !== uid) {
    return {
      stage: 'gone',
      lines: [],
      problem: `${what} is another one by now: somebody has deleted and recreated it`,
    };
  }
  const said = conditionOf(claim, type);
  const waiting = said && said.status !== 'True' ? sentenceOf(said) : shows?.(claim);
  return {
    stage: said && said.status !== 'True' ? `waiting: ${said.reason}` : 'waiting',
    lines: waiting === undefined ? [] : [waiting],
    isOver: isOver(claim),
    isSilent: waiting === undefined && !said,
  };
}

export function conditionOf({ status }: Claim, wanted: string): Condition | undefined {
  return status?.conditions?.find(({ type }) => type === wanted);
}
