import type { Condition } from '../../lib/kubernetes/objects.ts';
import type { Progress } from '../objects/follow.ts';
import { transferStages } from '../objects/transfer-stages.ts';

/** True once both sides have agreed: another claim may have the source's name before the transfer is complete. */
export function isUnderWay({ status }: Pick<Transfer, 'status'>): boolean {
  const isMatched = status?.conditions?.some(({ type, status: is }) => type === 'Matched' && is === 'True');
  return status?.complete === true || isMatched === true;
}

/** Nobody can help: the request or the claim must be another one. */
const hopeless = ['Invalid', 'UnknownKind', 'SourceReplaced', 'SourceDeleting', 'SecretsInSourceNamespace'];

interface Transfer {
  metadata: { uid?: string; deletionTimestamp?: string };
  status?: { complete?: boolean; conditions?: Condition[] };
}

/** The progress that a request or an approval shows. It must stay the one that was followed from the beginning. */
export function progressOf(object: Transfer | undefined, what: string, uid: string | undefined): Progress {
  if (!object) return ended(`${what} does not exist any more: somebody has deleted it`);
  if (object.metadata.uid !== uid) return ended(`${what} is another one by now: somebody has deleted and recreated it`);
  const { complete, conditions = [] } = object.status ?? {};
  const is = (type: string) => conditions.find((condition) => condition.type === type);
  const reached = transferStages.filter(([type]) => is(type)?.status === 'True').map(([, word]) => word);
  const waiting = waitingCondition(object);
  const lines = [...(reached.length > 0 ? [reached.join(', ')] : []), ...(waiting ? [sentenceOf(waiting)] : [])];
  const stage = [reached.at(-1), waiting ? `waiting: ${waiting.reason}` : undefined].filter(Boolean).join('; ');
  if (complete) return { isOver: true, stage: 'complete', lines };
  const problem = waiting && hopeless.includes(waiting.reason) ? waiting.message : undefined;
  const isGoing = object.metadata.deletionTimestamp !== undefined;
  return {
    stage: stage || 'requested',
    lines,
    isSilent: conditions.length === 0,
    problem: isGoing ? `${what} is being deleted: somebody has withdrawn it` : problem,
  };
}

/** The stage that it waits for; `Complete` repeats it. */
export function waitingCondition({ status }: Pick<Transfer, 'status'>): Condition | undefined {
  const of = (type: string) => status?.conditions?.find((condition) => condition.type === type);
  const first = transferStages.map(([type]) => of(type)).find((condition) => condition?.status === 'False');
  // A failure of the work itself is in the last condition alone.
  return of('Complete')?.reason === 'Failed' ? of('Complete') : first;
}

/** From here on the volume is on its way, and neither consent nor a withdrawal of it changes that. */
export function isOnItsWay({ status }: { status?: { volumeName?: string; conditions?: Condition[] } }): boolean {
  const isFenced = status?.conditions?.some(({ type, status: is }) => type === 'Fenced' && is === 'True');
  return Boolean(status?.volumeName) || isFenced === true;
}

export function sentenceOf({ reason, message }: Pick<Condition, 'reason' | 'message'>): string {
  return `${reason}: ${message}`;
}

function ended(problem: string): Progress {
  return { stage: 'ended', lines: [], problem };
}
