import { readPath } from './api-path.ts';
import { fatesOf } from './fates.ts';
import type { Target } from './fixtures.ts';
import type { OddRecord } from './hostile-records.ts';
import type { Asked } from './stand-in-api.ts';
import type { Called } from './stand-in-aws.ts';
import { clusterNames, queuePath, rogue } from './surroundings.ts';
import { Violation } from './violation.ts';
import type { Named } from './well-formed.ts';

/** What the handling of one object of the cluster asks the API server, as it was seen when nothing was hostile. */
export interface Course {
  reads: readonly string[];
  writes: readonly string[];
}

export interface Seen {
  failed: readonly unknown[];
  asked: Record<string, readonly Asked[]>;
  called: readonly Called[];
}

export interface Expectations {
  target: Target;
  /** By the path of the object that a message names. */
  courses: ReadonlyMap<string, Course>;
  /** Whether the function's role lets it read this. */
  mayRead(group: string, plural: string, verb: 'get' | 'list'): boolean;
}

export function judgeBatch(records: readonly OddRecord[], seen: Seen, expectations: Expectations): Named[] {
  const { reported, unsure, handled, perhaps } = fatesOf(records, expectations.target);
  judgeReports(seen.failed.map(String), reported.map(idOf), unsure.map(idOf));
  for (const cluster of clusterNames) {
    const asked = seen.asked[cluster] ?? [];
    const isThere = (named: Named) => named.cluster === cluster;
    if (cluster === rogue) judgePaths(asked);
    else judgeRequests(asked, handled.filter(isThere), perhaps.filter(isThere), expectations);
  }
  judgeCalls(seen.called, [...reported, ...unsure]);
  return handled;
}

function idOf({ messageId }: OddRecord): string {
  return String(messageId);
}

function judgeReports(failed: readonly string[], reported: readonly string[], unsure: readonly string[]): void {
  const lost = reported.filter((id) => !failed.includes(id));
  if (lost.length > 0) throw new Violation(`lost: ${lost.join(', ')} was not handled, and is not reported`);
  const certain = failed.filter((id) => !unsure.includes(id));
  if (certain.length > reported.length) {
    throw new Violation(`a message was not handled because of its neighbours: ${certain.join(', ')} are reported`);
  }
}

/** Whatever a server says, it is not led by that to where it did not say. */
function judgePaths(asked: readonly Asked[]): void {
  const illegal = asked.find(({ url }) => readPath(url) === undefined);
  if (illegal) throw new Violation(`an answer was made into a path: ${illegal.method} ${illegal.url}`);
}

function judgeRequests(
  asked: readonly Asked[],
  handled: readonly Named[],
  perhaps: readonly Named[],
  expectations: Expectations,
) {
  const { target, courses } = expectations;
  const pathsOf = (named: readonly Named[]) => named.map(({ namespace, name }) => pathOf(target, namespace, name));
  const paths = pathsOf(handled);
  const all = [...handled, ...perhaps];
  const known = pathsOf(all).flatMap((path) => courses.get(path) ?? []);
  for (const { method, url } of asked) {
    const isForeseen = known.some(({ reads, writes }) => [...reads, ...writes].includes(`${method} ${url}`));
    if (isForeseen) continue;
    if (method !== 'GET') throw new Violation(`it wrote what no message of the batch leads to: ${method} ${url}`);
    if (!isLegal(url, all, expectations)) throw new Violation(`it read what no message may lead to: ${url}`);
  }
  const urls = asked.map(({ url }) => url);
  const unread = paths.find((path) => courses.has(path) && !urls.includes(path));
  if (unread !== undefined) throw new Violation(`a good message was not handled: ${unread} was not read`);
}

/** Whether nothing stands in a path that a message put there as something else than a name. */
function isLegal(url: string, handled: readonly Named[], { mayRead }: Expectations): boolean {
  const path = readPath(url);
  if (!path || !mayRead(path.group, path.plural, path.name === undefined ? 'list' : 'get')) return false;
  const names = ['longshore-system', 'longshore', ...handled.flatMap(({ namespace, name }) => [namespace, name])];
  return [path.namespace, path.name].every((each) => each === undefined || names.includes(each));
}

function judgeCalls(called: readonly Called[], failed: readonly OddRecord[]): void {
  for (const { service, action, parameters } of called) {
    const isPause = service === 'sqs' && action === 'ChangeMessageVisibility';
    if (!isPause) throw new Violation(`it called ${service}: ${action}`);
    const { QueueUrl, ReceiptHandle } = parameters;
    const isOurs = String(QueueUrl).endsWith(queuePath) && failed.some((each) => each.receiptHandle === ReceiptHandle);
    if (!isOurs) throw new Violation(`it paused a message that has not failed: ${ReceiptHandle} of ${QueueUrl}`);
  }
}

export function pathOf({ resource }: Target, namespace: string | undefined, name: string): string {
  const { apiVersion, plural } = resource;
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${root}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${plural}/${name}`;
}
