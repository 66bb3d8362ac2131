import type { Cluster } from '../../kubernetes/cluster.ts';
import { isClusterError } from '../../kubernetes/errors.ts';
import { displayName, type Key, nameOf } from '../../kubernetes/resources.ts';
import type { Decision, Step, World } from '../../reconcile/step.ts';
import { errorText } from '../../runtime/error-text.ts';
import type { KnownFunctions } from './functions.ts';
import type { Letter } from './letter.ts';
import { saidBy } from './present.ts';
import { readOnly } from './read-only.ts';
import { type Subject, subjectOf } from './subject.ts';

/**
 * How a letter stands now, by the very code that would work on it again.
 *
 * malformed        no message, or none for this function: it can only fail again
 * later            of a later release: it can only fail again until that is deployed
 * unknown-cluster  of a cluster that the deployment does not serve: it can only fail again until it does
 * gone             its object is no longer there, and nothing is left to do for it
 * done             nothing is left to do: it is complete, or waits for a change, which brings a message of its own
 * open             the function would do something
 * failing          the function would fail, or refuse, again
 * unknown          it could not be found out
 */
export type State = 'malformed' | 'later' | 'unknown-cluster' | 'gone' | 'done' | 'open' | 'failing' | 'unknown';

/** What would be sent again in vain, whoever mends whatever in the cluster. */
export const hopeless: ReadonlySet<State> = new Set<State>(['malformed', 'later', 'unknown-cluster']);
export const finished: ReadonlySet<State> = new Set<State>(['gone', 'done']);

export interface Finding {
  state: State;
  /** Why, in words for people. */
  detail: string;
  /** What the object says of itself, where it was looked at. */
  said?: string;
}

export interface Surroundings {
  functions: KnownFunctions;
  /** The clusters that can be looked into, or why not. */
  cluster: (name: string) => Promise<Cluster>;
  /** The clusters that the deployment serves, where that is known. */
  served: readonly string[] | undefined;
  now: () => Date;
}

/** A key that changes under our eyes this often is not judged. */
const maxReads = 5;

export async function judge(letter: Letter, surroundings: Surroundings): Promise<Finding> {
  const { functions, served } = surroundings;
  const subject = subjectOf(letter, functions);
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
    return await look(letter, subject, readOnly(await surroundings.cluster(subject.cluster)), surroundings);
  } catch (error) {
    const denied = isClusterError(error, 'denied') ? 'you may not read what the function reads: ' : '';
    return unknown(`${denied}${errorText(error)}`);
  }
}

type Placed = Extract<Subject, { type: 'object' | 'request' }>;

async function look(letter: Letter, subject: Placed, cluster: Cluster, { functions, now }: Surroundings) {
  const { resource, key } = subject;
  const object = await cluster.get(nameOf(resource, key.namespace, key.name));
  const said = saidBy(object);
  const known = functions[letter.function];
  if (!known || 'made' in known) {
    const isGone = !object && known?.absentMeans === 'gone';
    const finding: Finding = isGone ? gone(subject) : unknown('only the deployment knows its drivers');
    return { ...finding, said };
  }
  const isRequest = subject.type === 'request' && 'stepFor' in known;
  const step = isRequest ? known.stepFor(subject.request) : 'step' in known ? known.step : undefined;
  if (!step) return { ...unknown('it is not an event'), said };
  const finding = findingOf(await decisionOf(step, cluster, key, now), isRequest);
  return { ...(finding.state === 'done' && !object && !isRequest ? gone(subject) : finding), said };
}

/** What the step would do first. */
async function decisionOf(step: Step<World>, cluster: Cluster, key: Key, now: () => Date): Promise<Decision> {
  for (let reads = 1; ; reads += 1) {
    const decision = step.decide(await step.read(cluster, key, now()), now());
    if (decision.do !== 'reread' || reads === maxReads) return decision;
  }
}

function findingOf(decision: Decision, isRequest: boolean): Finding {
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
      // Of an object it is said there, and a change brings the next message. Of an event it is said by another dead letter.
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

function gone({ resource, key }: Placed): Finding {
  return { state: 'gone', detail: `there is no ${resource.kind} ${displayName(key)} any more` };
}

function unknown(detail: string): Finding {
  return { state: 'unknown', detail };
}
