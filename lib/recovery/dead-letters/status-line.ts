import type { ClusterObject, Condition } from '../../kubernetes/objects.ts';

/** The fields that most kinds have are enough here. */
interface Described extends ClusterObject {
  status?: { phase?: string; conditions?: Condition[] };
}

/** The present status of an object, on one line. */
export function statusLineOf(object: ClusterObject | undefined): string {
  if (!object) return 'not there';
  const { status, metadata } = object as Described;
  const going = metadata.deletionTimestamp ? 'being deleted; ' : '';
  const { phase, conditions } = status ?? {};
  const said = [phase, conditionLineOf(conditions)].filter(Boolean).join('; ');
  return `${going}${said || 'there, without a status'}`;
}

/** The condition that keeps the object from being ready, else the last one that became true. */
function conditionLineOf(conditions: Condition[] | undefined): string | undefined {
  if (!Array.isArray(conditions)) return undefined;
  // Times are whole seconds: within one, the last in the list was reached last.
  const newestFirst = [...conditions].reverse().sort((one, other) => timeOf(other) - timeOf(one));
  const unmet = newestFirst.filter(({ status }) => status !== 'True');
  // A final failure has this reason; the same conditions may have other reasons.
  const shown = unmet.find(({ reason }) => reason === 'Failed') ?? unmet[0] ?? newestFirst[0];
  if (!shown) return undefined;
  const { type, status, reason, message } = shown;
  return `${type} ${status} ${reason}${message ? `: ${message}` : ''}`;
}

function timeOf({ lastTransitionTime }: Condition): number {
  return Date.parse(lastTransitionTime) || 0;
}
