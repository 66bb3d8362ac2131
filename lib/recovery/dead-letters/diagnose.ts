import type { Cluster } from '../../kubernetes/cluster.ts';
import { isClusterError } from '../../kubernetes/errors.ts';
import { displayName, type Key, nameOf } from '../../kubernetes/resources.ts';
import type { Decision, Step, World } from '../../reconcile/step.ts';
import { errorText } from '../../runtime/error-text.ts';
import type { DeadLetter } from './dead-letter.ts';
import type { ForeseenBuckets } from './foreseen-buckets.ts';
import type { KnownFunctions } from './known-functions.ts';
import { readOnly } from './read-only-cluster.ts';
import { statusLineOf } from './status-line.ts';
import { type Subject, subjectOf } from './subject.ts';

/**
 * The state of a dead letter now, according to the very code that would process it again.
 *
 * malformed        not a message, or not one for this function: it can only fail again
 * later            of a later release: it can only fail again until that is deployed
 * unknown-cluster  of a cluster that the deployment does not serve: it can only fail again until it does
 * gone             its object no longer exists, and nothing is left to do for it
 * done             nothing is left to do: it is complete, or waits for a change, which brings its own message
 * open             the function would do something
 * failing          the function would fail, or refuse, again
 * unknown          it could not be determined
 */
export type DeadLetterState =
  | 'malformed'
  | 'later'
  | 'unknown-cluster'
  | 'gone'
  | 'done'
  | 'open'
  | 'failing'
  | 'unknown';

/** This release and configuration cannot process these, whatever is fixed in the cluster. */
export const unprocessable: ReadonlySet<DeadLetterState> = new Set<DeadLetterState>([
  'malformed',
  'later',
  'unknown-cluster',
]);
export const finished: ReadonlySet<DeadLetterState> = new Set<DeadLetterState>(['gone', 'done']);

export interface Diagnosis {
  state: DeadLetterState;
  /** Why, for people. */
  detail: string;
  /** The status of the object, if it was read. */
  objectStatus?: string;
}

export interface DiagnosisContext {
  functions: KnownFunctions;
  /** Rejects if the cluster cannot be read. */
  cluster: (name: string) => Promise<Cluster>;
  /** The clusters that the deployment serves, if known. */
  servedClusters: readonly string[] | undefined;
  /** What requests that were diagnosed before this one would change, and this one may. */
  foreseen: ForeseenBuckets;
  now: () => Date;
}

/** A key that changes this often while it is read is not diagnosed. */
const maxReads = 5;

export async function diagnose(deadLetter: DeadLetter, context: DiagnosisContext): Promise<Diagnosis> {
  const { functions, servedClusters: served } = context;
  const subject = subjectOf(deadLetter, functions);
  if (subject.type === 'unreadable') return { state: subject.as, detail: subject.problem };
  if (subject.type === 'event') return unknown('whether it is adopted depends on the configuration of the deployment');
  if (served && !served.includes(subject.cluster)) {
    const known = served.map((name) => JSON.stringify(name)).join(', ');
    return {
      state: 'unknown-cluster',
      detail: `the deployment serves ${known}, not ${JSON.stringify(subject.cluster)}`,
    };
  }
  try {
    return await diagnoseObject(deadLetter, subject, readOnly(await context.cluster(subject.cluster)), context);
  } catch (error) {
    const denied = isClusterError(error, 'denied') ? 'you may not read what the function reads: ' : '';
    return unknown(`${denied}${errorText(error)}`);
  }
}

type ObjectSubject = Extract<Subject, { type: 'object' | 'request' }>;

async function diagnoseObject(
  deadLetter: DeadLetter,
  subject: ObjectSubject,
  cluster: Cluster,
  { functions, foreseen, now }: DiagnosisContext,
): Promise<Diagnosis> {
  const { resource, key } = subject;
  const object = await cluster.get(nameOf(resource, key.namespace, key.name));
  const objectStatus = statusLineOf(object);
  const known = functions[deadLetter.function];
  if (!known || 'deployedStep' in known) {
    const isGone = !object && known?.absentMeans === 'gone';
    const diagnosis: Diagnosis = isGone ? gone(subject) : unknown('only the deployment knows its drivers');
    return { ...diagnosis, objectStatus };
  }
  if (subject.type === 'request' && 'stepFor' in known) {
    const isBehind = foreseen.differFor(subject);
    const decision = await decisionOf(known.stepFor(subject.request), foreseen.asMetBy(subject, cluster), key, now);
    if (decision.do === 'write') foreseen.note(subject, decision.write, now());
    const diagnosis = diagnosisOf(decision, true);
    const detail = isBehind ? `${diagnosis.detail}, after the requests before it` : diagnosis.detail;
    return { ...diagnosis, detail, objectStatus };
  }
  if (!('step' in known)) return { ...unknown('it is not an event'), objectStatus };
  const diagnosis = diagnosisOf(await decisionOf(known.step, cluster, key, now), false);
  return { ...(diagnosis.state === 'done' && !object ? gone(subject) : diagnosis), objectStatus };
}

/** The step's first decision. */
async function decisionOf(step: Step<World>, cluster: Cluster, key: Key, now: () => Date): Promise<Decision> {
  for (let reads = 1; ; reads += 1) {
    const decision = step.decide(await step.read(cluster, key, now()), now());
    if (decision.do !== 'reread' || reads === maxReads) return decision;
  }
}

function diagnosisOf(decision: Decision, isRequest: boolean): Diagnosis {
  switch (decision.do) {
    case 'write': {
      const { verb, object } = decision.write;
      const allowed = isRequest ? ', if the configuration allows it' : '';
      return { state: 'open', detail: `it would ${verb} ${object.resource.kind} ${displayName(object)}${allowed}` };
    }
    case 'call':
      return { state: 'open', detail: `it would ask the store for ${decision.call.operation}` };
    case 'reread':
      return unknown('it changes too quickly to be judged');
    case 'retry':
      return { state: 'failing', detail: `${decision.reason}: ${decision.message}` };
    case 'reject':
      // On an object it is reported there, and a change brings the next message. For an event another dead letter reports it.
      return { state: isRequest ? 'failing' : 'done', detail: `${decision.reason}: ${decision.message}` };
    case 'wait':
      return { state: 'done', detail: `it waits: ${decision.reason}: ${decision.message}` };
    case 'done':
      return { state: 'done', detail: decision.reason };
    default:
      return unknownDecision(decision);
  }
}

function unknownDecision(decision: never): never {
  throw new Error(`unknown decision ${(decision as Decision).do}`);
}

function gone({ resource, key }: ObjectSubject): Diagnosis {
  return { state: 'gone', detail: `there is no ${resource.kind} ${displayName(key)} any more` };
}

function unknown(detail: string): Diagnosis {
  return { state: 'unknown', detail };
}
