import type { Condition } from '../../../kubernetes/objects.ts';
import type { Said } from '../../../reconcile/conditions.ts';
import type { Problem } from '../source-checks.ts';

/** The stages of a transfer in their order, each a condition on the objects that the users wrote. */
const stages = {
  Matched: 'The request is approved.',
  SourceReady: 'The source claim is bound and may be moved.',
  Fenced: 'The source claim is fenced, and the target claim waits for its volume.',
  Moved: 'The volume belongs to the target claim.',
} as const;
type Stage = keyof typeof stages;
const names = Object.keys(stages) as Stage[];

/** Why a transfer does not continue, and the stage that it therefore does not reach. */
export interface Blocker extends Problem {
  stage: Stage;
  /** Reported on the approval instead, if the request's side must not see it. */
  toApproval?: Blocker;
}

export function blockedConditions({ stage, reason, message }: Blocker): Said[] {
  const passed = names.slice(0, names.indexOf(stage)).map((name) => said(name, 'True', name, stages[name]));
  return [...passed, said(stage, 'False', reason, message), said('Complete', 'False', reason, message)];
}

export function completeConditions(): Said[] {
  const passed = names.map((name) => said(name, 'True', name, stages[name]));
  return [...passed, said('Complete', 'True', 'Complete', 'The transfer is complete.')];
}

/** The work itself failed: how far it got before is still true. */
export function failedConditions(before: Condition[] = [], message: string): Said[] {
  return [...before.filter(({ type }) => type !== 'Complete'), said('Complete', 'False', 'Failed', message)];
}

function said(type: string, status: Condition['status'], reason: string, message: string): Said {
  return { type, status, reason, message };
}
