import type { Condition } from '../../../kubernetes/objects.ts';
import type { Said } from '../../../reconcile/conditions.ts';
import { type Stage, stages, type TransferObstacle, type TransferReason } from '../reasons.ts';

const names = Object.keys(stages) as Stage[];

/** Until a transfer reaches a stage, that stage and the whole give the obstacle as their reason. */
export function blockedConditions(stage: Stage, { reason, message }: TransferObstacle): Said<TransferReason>[] {
  const passed = names.slice(0, names.indexOf(stage)).map((name) => said(name, 'True', name, stages[name]));
  return [...passed, said(stage, 'False', reason, message), said('Complete', 'False', reason, message)];
}

export function completeConditions(): Said<TransferReason>[] {
  const passed = names.map((name) => said(name, 'True', name, stages[name]));
  return [...passed, said('Complete', 'True', 'Complete', 'The transfer is complete.')];
}

/** The work itself failed: how far it got before is still true. */
export function failedConditions(before: Condition[] = [], message: string): Said<TransferReason>[] {
  // What was there was reported here.
  const reached = before.filter(({ type }) => type !== 'Complete') as Said<TransferReason>[];
  return [...reached, said('Complete', 'False', 'Failed', message)];
}

function said(type: string, status: Condition['status'], reason: TransferReason, message: string) {
  return { type, status, reason, message };
}
