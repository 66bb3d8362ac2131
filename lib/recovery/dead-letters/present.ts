import type { ClusterObject, Condition } from '../../kubernetes/objects.ts';

/** An object as kubectl would describe it: of its kind we need not know more than what most kinds have. */
interface Described extends ClusterObject {
  status?: { phase?: string; conditions?: Condition[] };
}

/** What an object says of itself now, on one line. */
export function saidBy(object: ClusterObject | undefined): string {
  if (!object) return 'not there';
  const { status, metadata } = object as Described;
  const going = metadata.deletionTimestamp ? 'being deleted; ' : '';
  const { phase, conditions } = status ?? {};
  const said = [phase, tellingOf(conditions)].filter(Boolean).join('; ');
  return `${going}${said || 'there, without a status'}`;
}

/** Of several conditions the one that keeps the object from being as it should; else the last one that became true. */
function tellingOf(conditions: Condition[] | undefined): string | undefined {
  if (!Array.isArray(conditions)) return undefined;
  // Times are whole seconds: of several in one, what stands last was reached last.
  const newestFirst = [...conditions].reverse().sort((one, other) => timeOf(other) - timeOf(one));
  const unmet = newestFirst.filter(({ status }) => status !== 'True');
  // What was given up is said with this reason; the same conditions may have others as well.
  const telling = unmet.find(({ reason }) => reason === 'Failed') ?? unmet[0] ?? newestFirst[0];
  if (!telling) return undefined;
  const { type, status, reason, message } = telling;
  return `${type} ${status} ${reason}${message ? `: ${message}` : ''}`;
}

function timeOf({ lastTransitionTime }: Condition): number {
  return Date.parse(lastTransitionTime) || 0;
}
