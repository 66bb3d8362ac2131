import type { ConfigMap } from '../../../kubernetes/objects.ts';
import { resources } from '../../../kubernetes/resources.ts';
import { roundRobin } from '../../../round-robin.ts';
import type { Measurement } from '../../../runtime/metrics.ts';
import { systemNamespace } from '../names.ts';
import { clustersConcernedBy, type Finding } from './finding.ts';

/** Stores of a driver that were not read. */
export interface Silence {
  driver: string;
  /** The clusters that refer to them; undefined for all. */
  clusters: readonly string[] | undefined;
}

export interface Report {
  at: string;
  /** The objects and stores that could not be read, each as one sentence. */
  problems: string[];
  /** The clusters that a problem concerns, if not all. */
  concerned?: ReadonlyMap<string, readonly string[]>;
  unread: { clusters: string[]; stores: readonly Silence[] };
  findings: Finding[];
  removed: string[];
  refused: { name: string; why: string }[];
}

/** People read the report. */
const maxFindings = 200;
/** A ConfigMap holds one megabyte, and its data is quoted once more in the request. */
const maxBytes = 400_000;
const maxProblemLength = 50_000;
/** An invocation may return six megabytes; and each log line costs. */
export const maxAnswered = 5_000;
const maxAnsweredBytes = 5_000_000;
/** No sentence of ours is longer, unless it quotes a store. */
const maxMessageLength = 1_000;

/** The result for the caller who invoked the sweep. */
export function answerOf({ at, problems, findings, removed, refused }: Report): object {
  const shown = shownOf(findings, maxAnswered, maxAnsweredBytes);
  return {
    at,
    problems: problems.slice(0, maxAnswered).map((problem) => problem.slice(0, maxMessageLength)),
    removed,
    refused,
    findings: shown,
    ...(findings.length > shown.length ? { left: findings.length - shown.length } : {}),
  };
}

/** As many findings as there is room for: some of each cluster and each store, however many another has. */
export function someOf(findings: readonly Finding[], max: number): readonly Finding[] {
  if (findings.length <= max) return findings;
  const byCluster = Map.groupBy(findings, (finding) => JSON.stringify(clustersConcernedBy(finding)));
  const ofEach = [...byCluster.values()].map((each) =>
    roundRobin([...Map.groupBy(each, ({ store }) => store).values()]),
  );
  return roundRobin(ofEach).slice(0, max);
}

function shownOf(findings: readonly Finding[], max: number, bytes: number): object[] {
  let left = bytes;
  const shown = someOf(findings, max).map(shownFinding);
  return shown.filter((each) => {
    // As serialized in the report, with its surroundings.
    left -= Buffer.byteLength(JSON.stringify(each, undefined, 2)) + 40;
    return left >= 0;
  });
}

function shownFinding({ verdict, name, driver, cluster, madeAt, message }: Finding): object {
  const made = madeAt === undefined ? {} : { madeAt: new Date(madeAt).toISOString() };
  const said = message.slice(0, maxMessageLength);
  return { verdict, name, driver, ...(cluster === undefined ? {} : { cluster }), ...made, message: said };
}

const reportName = 'bucket-orphans';

/** The findings and problems of one cluster. Those with an unknown cluster concern all. */
export function configMapFor(cluster: string, { at, problems, concerned, findings }: Report): ConfigMap {
  const { apiVersion, kind } = resources.configMap;
  const own = findings.filter((finding) => {
    const clusters = clustersConcernedBy(finding);
    return clusters.length === 0 || clusters.includes(cluster);
  });
  const shown = shownOf(own, maxFindings, maxBytes);
  const said = own.length > shown.length ? [`Only ${shown.length} of ${own.length} findings are shown here`] : [];
  const ofAll = problems.filter((problem) => concerned?.get(problem)?.includes(cluster) ?? true);
  const data = {
    at,
    problems: [...said, ...ofAll].join('\n').slice(0, maxProblemLength),
    findings: JSON.stringify(shown, undefined, 2),
  };
  return { apiVersion, kind, metadata: { namespace: systemNamespace, name: reportName }, data };
}

type Counted = 'OrphanedBuckets' | 'OrphanedUsers' | 'OrphanedKeys' | 'MissingBuckets' | 'MissingCredentials';

/** Zeros too, so that alarms end; unknown counts are omitted. */
export function measurementsOf(report: Report, drivers: readonly string[], clusters: readonly string[]): Measurement[] {
  const { unread, findings } = report;
  // While one cluster could not be read, nothing counts as an orphan in any.
  const names: Counted[] = unread.clusters.length > 0 ? [...missingNames] : [...orphanNames, ...missingNames];
  const known = clusters.filter((cluster) => !unread.clusters.includes(cluster));
  const places = [...known, ...(findings.some((each) => clustersConcernedBy(each).length === 0) ? [unknown] : [])];
  const ofEach = drivers.flatMap((driver) => {
    const silent = unread.stores.filter((store) => store.driver === driver);
    const silentFor = (cluster: string) =>
      silent.filter(({ clusters: users }) => users?.includes(cluster) ?? true).length;
    const ofStores = known.map((cluster) => count('StoresNotRead', driver, cluster, silentFor(cluster)));
    // If a store does not answer, only the counts of the clusters that use it are omitted.
    const heard = places.filter((place) => silentFor(place) === 0);
    const ofThings = heard.flatMap((cluster) => {
      const counted = findings
        .filter((each) => each.driver === driver && placesOf(each).includes(cluster))
        .map(counterOf);
      return names.map((name) => count(name, driver, cluster, counted.filter((counter) => counter === name).length));
    });
    return [...ofThings, ...ofStores];
  });
  return [...ofEach, ...totalOf(ofEach, unread)];
}

/**
 * What someone should look at, all together: an alarm watches this. Orphaned buckets do not count, as a class may retain them
 * on purpose. Without findings it is only counted if everything was read, so that no alarm ends by what is unknown.
 */
function totalOf(measured: readonly Measurement[], { clusters, stores }: Report['unread']): Measurement[] {
  const counted = measured.filter(({ name }) => name !== 'OrphanedBuckets' && name !== 'StoresNotRead');
  const value = counted.reduce((sum, each) => sum + Number(each.value), 0);
  const isKnown = clusters.length === 0 && stores.length === 0;
  return value > 0 || isKnown ? [{ name: 'StoreFindings', unit: 'Count', value, dimensions: {} }] : [];
}

function count(name: Counted | 'StoresNotRead', driver: string, cluster: string, value: number): Measurement {
  return { name, unit: 'Count', value, dimensions: { driver, cluster } };
}

function placesOf(finding: Finding): readonly string[] {
  const clusters = clustersConcernedBy(finding);
  return clusters.length === 0 ? [unknown] : clusters;
}

const unknown = 'unknown';
const orphanNames = ['OrphanedBuckets', 'OrphanedUsers', 'OrphanedKeys'] as const;
const missingNames = ['MissingBuckets', 'MissingCredentials'] as const;

function counterOf({ verdict, kind }: Finding): Counted | undefined {
  if (verdict === 'missing') return kind === 'bucket' ? 'MissingBuckets' : 'MissingCredentials';
  if (verdict === 'unclaimed') return 'OrphanedBuckets';
  if (verdict !== 'orphaned') return undefined;
  return kind === 'key' ? 'OrphanedKeys' : 'OrphanedUsers';
}
