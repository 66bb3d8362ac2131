import { isClusterError } from '../../lib/kubernetes/errors.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { collectionPath } from '../../lib/kubernetes/resources.ts';
import { errorText } from '../../lib/runtime/error-text.ts';
import { redacted } from '../../lib/runtime/redaction.ts';
import type { AnyObject, ClusterApi } from '../connect/cluster-api.ts';
import { lackingRights, refuseNoNamespace } from '../objects/refusals.ts';
import { findLeaders, type Leader } from '../operate/leader.ts';
import { NoAnswer } from '../operate/open-within.ts';
import { askServer, type ServerView } from '../operate/server-time.ts';
import { judged, type Verdict, verdictsOn } from '../operate/verdict.ts';

/** An unfinished object. */
export interface Stuck extends Verdict {
  kind: string;
  namespace?: string;
  name: string;
}

export interface Counted {
  kind: string;
  total: number;
  unfinished: number;
}

/** All that `longshore status` knows of a cluster; what could not be read is a problem. */
export interface StatusReport {
  cluster: string;
  server: string;
  /** By the server's clock, as all ages are of times that it wrote. */
  at: string;
  /** Undefined if the server has not answered. */
  answerMs: number | undefined;
  /** Undefined if they could not be read. */
  leaders: Leader[] | undefined;
  /** Oldest first. */
  unfinished: Stuck[];
  counts: Counted[];
  problems: string[];
}

export interface Scope {
  cluster: string;
  server: string;
  /** All without one. */
  namespace?: string | undefined;
}

type Answer<T> = { value: T } | { what: string; error: unknown };

/** What could be found out in time. */
export async function reportOn(api: ClusterApi, { cluster, server, namespace }: Scope): Promise<StatusReport> {
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const began = performance.now();
  const tolerate = <T>(what: string, question: Promise<T>): Promise<Answer<T>> =>
    question.then(
      (value) => ({ value }),
      (error) => ({ what, error }),
    );
  const asked = askServer(api).catch(unlessRefused);
  const view = tolerate(
    'the API server',
    asked.then((answer) => {
      aheadMs = answer.aheadMs ?? 0;
      return Math.round(performance.now() - began);
    }),
  );
  const leaders = asked.then(
    () => tolerate('the Lease of the active process cannot be read', findLeaders(api, now)),
    (): Answer<Leader[] | undefined> => ({ value: undefined }),
  );
  const kinds = [...new Set(judged.map(({ resource }) => resource))];
  const lists = kinds.map((resource) =>
    tolerate(`${resource.plural} cannot be read`, listOf(api, resource, namespace)),
  );
  const place = namespace === undefined ? undefined : tolerate('the namespace', refuseNoNamespace({ api }, namespace));
  const [answered, found, placed, ...listed] = await Promise.all([view, leaders, place, ...lists]);
  const all = kinds.map((resource, index) => judge(resource, answerOf(listed[index]) ?? []));
  return {
    ...{ cluster, server, at: now().toISOString(), answerMs: answerOf(answered), leaders: answerOf(found) },
    unfinished: all.flatMap(({ unfinished }) => unfinished).sort((one, other) => timeOf(one) - timeOf(other)),
    counts: all.map(({ counted }) => counted).filter(({ total }) => total > 0),
    problems: problemsOf({ answered, found, placed, kinds, listed, namespace }),
  };
}

function answerOf<T>(answer: Answer<T> | undefined): T | undefined {
  return answer && 'value' in answer ? answer.value : undefined;
}

interface Answers {
  answered: Answer<unknown>;
  found: Answer<unknown>;
  placed: Answer<unknown> | undefined;
  kinds: readonly Resource[];
  /** In the same order. */
  listed: readonly Answer<unknown>[];
  namespace: string | undefined;
}

/** What could not be read, and why: where the server does not answer at all, that alone. */
function problemsOf({ answered, found, placed, kinds, listed, namespace }: Answers): string[] {
  if ('error' in answered) return [redacted(errorText(answered.error))];
  // Whoever lacks one of these rights mostly lacks them all.
  const denied = kinds.filter((_, index) => isDenied(listed[index]));
  const advice = namespace === undefined ? ', or name your namespace with -n' : '';
  const all = [
    ...problemOf(found),
    ...(placed && 'error' in placed ? [redacted(errorText(placed.error))] : []),
    ...listed.filter((each) => !isDenied(each)).flatMap(problemOf),
    ...(denied.length > 0 ? [`${lackingRights('list', denied, namespace)}${advice}`] : []),
  ];
  return [...new Set(all)];
}

function isDenied(answer: Answer<unknown> | undefined): boolean {
  return answer !== undefined && 'error' in answer && isClusterError(answer.error, 'denied');
}

function problemOf(answer: Answer<unknown>): string[] {
  if (!('error' in answer)) return [];
  const { what, error } = answer;
  return [error instanceof NoAnswer ? error.message : `${what}: ${redacted(errorText(error))}`];
}

/** A server that does not know the question has answered too, but does not tell the time. */
function unlessRefused(error: unknown): Partial<ServerView> {
  if (isClusterError(error, 'gone', 'denied', 'rejected')) return {};
  throw error;
}

/** Cluster-scoped objects belong to no namespace, so they are part of the whole alone. */
async function listOf(api: ClusterApi, resource: Resource, namespace: string | undefined): Promise<AnyObject[]> {
  if (namespace !== undefined && !resource.namespaced) return [];
  return (await api.list(collectionPath(resource, namespace))) ?? [];
}

function judge(resource: Resource, objects: readonly AnyObject[]) {
  const { kind } = resource;
  const verdicts = objects.flatMap((object) => verdictsOn(resource, object).map((verdict) => ({ object, verdict })));
  const unfinished = verdicts
    .filter(({ verdict }) => verdict.state !== 'done')
    .map(({ object: { metadata }, verdict }): Stuck => {
      const at = metadata.namespace === undefined ? {} : { namespace: metadata.namespace };
      return { kind, ...at, name: metadata.name, ...verdict };
    });
  return { unfinished, counted: { kind, total: verdicts.length, unfinished: unfinished.length } };
}

function timeOf({ since }: Stuck): number {
  const ms = Date.parse(since ?? '');
  return Number.isNaN(ms) ? Number.POSITIVE_INFINITY : ms;
}
