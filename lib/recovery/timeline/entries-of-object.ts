import type { ClusterObject, Condition, ObjectMeta } from '../../kubernetes/objects.ts';
import type { ObjectName } from '../../kubernetes/resources.ts';
import { isDerivedType } from '../../reconcile/ready.ts';
import { type Entry, timestampFrom } from './timeline-entry.ts';

/** The fields of most kinds that hold times. */
interface ObjectWithTimes extends ClusterObject {
  status?: {
    phase?: string;
    conditions?: Condition[];
    lastPhaseTransitionTime?: string;
    error?: { time?: string; message?: string };
    startedAt?: string;
    calledAt?: string;
    failedAt?: string;
  };
}

/** The field manager of Longshore's writes. */
const ownFieldManager = 'longshore';
/** Parts of the cluster itself, which create no objects of the traced kinds, and only react to others. */
const clusterFieldManager = /^kube-/;

/** The history that an object in the cluster records about itself. None of it is the object's contents. */
export function entriesOf(name: ObjectName, object: ClusterObject): Entry[] {
  const { metadata } = object;
  const of = (text: string | undefined, entry: Omit<Entry, 'at' | 'object'>): Entry[] => {
    const at = timestampFrom(text);
    return at ? [{ at, object: name, ...entry }] : [];
  };
  const { creationTimestamp, deletionTimestamp, finalizers = [] } = metadata;
  const held = finalizers.length > 0 ? `, held by ${finalizers.join(', ')}` : '';
  const lived = { source: 'object', details: {}, isReaction: false } as const;
  return [
    ...of(creationTimestamp, { ...lived, what: 'created', isReaction: isCreatedByLongshore(metadata) }),
    ...of(deletionTimestamp, { ...lived, what: `deletion requested${held}` }),
    ...writesTo(metadata).flatMap(({ time, ...write }) => of(time, write)),
    ...statusEntriesOf(object).flatMap(({ time, ...said }) =>
      of(time, { ...said, source: 'condition', isReaction: true }),
    ),
  ];
}

type WriteEntry = Omit<Entry, 'at' | 'object'> & { time: string | undefined };

/** The server records each field manager's last write. */
function writesTo({ managedFields = [] }: ObjectMeta): WriteEntry[] {
  return managedFields.map(({ manager = 'somebody', operation = 'Update', subresource, time }) => ({
    time,
    source: 'write',
    what: `last write by ${manager}${subresource ? ` to its ${subresource}` : ''}`,
    details: { manager, operation, subresource },
    isReaction: manager === ownFieldManager || clusterFieldManager.test(manager),
  }));
}

function statusEntriesOf(object: ClusterObject): Pick<WriteEntry, 'time' | 'what' | 'details'>[] {
  const { phase, conditions, lastPhaseTransitionTime, error, ...times } = (object as ObjectWithTimes).status ?? {};
  const all = Array.isArray(conditions) ? conditions : [];
  // Ready repeats what another condition says, which is in the timeline itself.
  const said = all
    .filter((condition) => !isDerivedType(condition?.type))
    .map((condition) => {
      const { type, status, reason, message, lastTransitionTime: time } = condition;
      const what = `${type} ${status} ${reason ?? ''}${message ? `: ${message}` : ''}`;
      return { time, what, details: { type, status, reason, message } };
    });
  return [
    ...said,
    { time: lastPhaseTransitionTime, what: `phase ${phase}`, details: { phase } },
    { time: error?.time, what: `error: ${error?.message}`, details: { message: error?.message } },
    { time: times.startedAt, what: 'first call to the store', details: {} },
    { time: times.calledAt, what: 'call to the store about access', details: {} },
    { time: times.failedAt, what: 'the store refused for now', details: {} },
  ];
}

/** The first writer created it; among several in the same second it is one other than the cluster and Longshore. */
function isCreatedByLongshore({ managedFields = [] }: ObjectMeta): boolean {
  const writers = managedFields
    .filter(({ subresource, manager = '' }) => !subresource && !clusterFieldManager.test(manager))
    .map(({ manager, time = '' }) => ({ manager, ms: Date.parse(time) }));
  const firstMs = Math.min(...writers.map(({ ms }) => ms));
  const first = writers.filter(({ ms }) => ms === firstMs);
  return first.length > 0 && first.every(({ manager }) => manager === ownFieldManager);
}
