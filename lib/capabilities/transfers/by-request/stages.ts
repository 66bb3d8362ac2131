import type { Condition } from '../../../kubernetes/objects.ts';
import { type Said, says } from '../../../reconcile/conditions.ts';
import { type Stage, stages, type TransferObstacle, type TransferReason } from '../reasons.ts';

const names = Object.keys(stages) as Stage[];

/** Until a transfer reaches a stage, that stage and the whole transfer give the obstacle as their reason. */
export function blockedConditions(stage: Stage, { reason, message }: TransferObstacle): Said<TransferReason>[] {
  const passed = names.slice(0, names.indexOf(stage)).map((name) => says(name, 'True', name, stages[name]));
  return [...passed, says(stage, 'False', reason, message), says('Complete', 'False', reason, message)];
}

export function completeConditions(): Said<TransferReason>[] {
  const passed = names.map((name) => says(name, 'True', name, stages[name]));
  return [...passed, says('Complete', 'True', 'Complete', 'The transfer is complete.')];
}

/** The work itself failed: the stages that were reached before stay reported. */
export function failedConditions(before: Condition[] = [], message: string): Said<TransferReason>[] {
  // The conditions on the object are our own reports.
  const reached = before.filter(({ type }) => type !== 'Complete') as Said<TransferReason>[];
  return [...reached, says('Complete', 'False', 'Failed', message)];
}
