import type { ClusterObject, Condition, ObjectMeta } from '../../kubernetes/objects.ts';
import type { ObjectName } from '../../kubernetes/resources.ts';
import { type Entry, momentOf } from './entry.ts';

/** What most kinds have, as far as times are in it. */
interface Timed extends ClusterObject {
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

/** How writes of Longshore are signed. */
const ownManager = 'longshore';
/** Parts of the cluster itself, which make no objects of the kinds that are traced, and only answer to what others do. */
const clusterManager = /^kube-/;

/** What an object in the cluster tells of its own past. None of it is what the object contains. */
export function entriesOf(name: ObjectName, object: ClusterObject): Entry[] {
  const { metadata } = object;
  const of = (text: string | undefined, entry: Omit<Entry, 'at' | 'object'>): Entry[] => {
    const at = momentOf(text);
    return at ? [{ at, object: name, ...entry }] : [];
  };
  const { creationTimestamp, deletionTimestamp, finalizers = [] } = metadata;
  const held = finalizers.length > 0 ? `, held by ${finalizers.join(', ')}` : '';
  const lived = { source: 'object', details: {}, isAnswer: false } as const;
  return [
    ...of(creationTimestamp, { ...lived, what: 'created', isAnswer: isMadeByUs(metadata) }),
    ...of(deletionTimestamp, { ...lived, what: `deletion requested${held}` }),
    ...writesTo(metadata).flatMap(({ time, ...write }) => of(time, write)),
    ...saidBy(object).flatMap(({ time, ...said }) => of(time, { ...said, source: 'condition', isAnswer: true })),
  ];
}

type Unplaced = Omit<Entry, 'at' | 'object'> & { time: string | undefined };

/** The server keeps of each writer when it wrote last. */
function writesTo({ managedFields = [] }: ObjectMeta): Unplaced[] {
  return managedFields.map(({ manager = 'somebody', operation = 'Update', subresource, time }) => ({
    time,
    source: 'write',
    what: `last write by ${manager}${subresource ? ` to its ${subresource}` : ''}`,
    details: { manager, operation, subresource },
    isAnswer: manager === ownManager || clusterManager.test(manager),
  }));
}

function saidBy(object: ClusterObject): Pick<Unplaced, 'time' | 'what' | 'details'>[] {
  const { phase, conditions, lastPhaseTransitionTime, error, ...times } = (object as Timed).status ?? {};
  const said = (Array.isArray(conditions) ? conditions : []).map((condition) => {
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

/** Whoever has written first has made it; of several in one second it is whoever else than the cluster and we. */
function isMadeByUs({ managedFields = [] }: ObjectMeta): boolean {
  const writers = managedFields
    .filter(({ subresource, manager = '' }) => !subresource && !clusterManager.test(manager))
    .map(({ manager, time = '' }) => ({ manager, ms: Date.parse(time) }));
  const firstMs = Math.min(...writers.map(({ ms }) => ms));
  const first = writers.filter(({ ms }) => ms === firstMs);
  return first.length > 0 && first.every(({ manager }) => manager === ownManager);
}
