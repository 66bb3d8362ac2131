import type { ConfigMap } from '../../cluster/objects.ts';
import { resources } from '../../cluster/resources.ts';
import type { Measurement } from '../../metrics.ts';
import { systemNamespace } from '../names.ts';
import type { Finding } from './finding.ts';

export interface Report {
  at: string;
  /** What could not be read, each in a sentence. */
  problems: string[];
  unread: { clusters: string[]; drivers: string[] };
  findings: Finding[];
  removed: string[];
  refused: { name: string; why: string }[];
}

/** A ConfigMap holds one megabyte; a report is read by people. */
const mostFindings = 200;
/** What an invocation may answer is six megabytes. */
const mostAnswered = 5_000;

/** For whoever invoked the sweep. */
export function answerOf(report: Report): object {
  const { findings, unread: _, ...others } = report;
  const shown = findings.slice(0, mostAnswered).map(shownFinding);
  return {
    ...others,
    findings: shown,
    ...(findings.length > shown.length ? { left: findings.length - shown.length } : {}),
  };
}

function shownFinding({ verdict, name, driver, cluster, madeAt, message }: Finding): object {
  const made = madeAt === undefined ? {} : { madeAt: new Date(madeAt).toISOString() };
  return { verdict, name, driver, ...(cluster === undefined ? {} : { cluster }), ...made, message };
}

const reportName = 'bucket-orphans';

/** What concerns one cluster. What says no cluster concerns each. */
export function configMapFor(cluster: string, { at, problems, findings }: Report): ConfigMap {
  const { apiVersion, kind } = resources.configMap;
  const own = findings.filter((finding) => finding.cluster === undefined || finding.cluster === cluster);
  const shown = own.slice(0, mostFindings).map(shownFinding);
  const said = own.length > shown.length ? [`Only ${shown.length} of ${own.length} findings are shown here`] : [];
  const data = {
    at,
    problems: [...problems, ...said].join('\n').slice(0, 50_000),
    findings: JSON.stringify(shown, undefined, 2),
  };
  return { apiVersion, kind, metadata: { namespace: systemNamespace, name: reportName }, data };
}

type Counted = 'OrphanedBuckets' | 'OrphanedUsers' | 'OrphanedKeys' | 'MissingBuckets' | 'MissingCredentials';

/** Zero as well, so that an alarm ends; nothing at all of what is not known. */
export function measurementsOf(report: Report, drivers: readonly string[], clusters: readonly string[]): Measurement[] {
  const { unread } = report;
  // While one cluster is not known, nothing is called an orphan in any.
  const names: Counted[] = unread.clusters.length > 0 ? [...missingNames] : [...orphanNames, ...missingNames];
  const known = clusters.filter((cluster) => !unread.clusters.includes(cluster));
  const places = [...known, ...(report.findings.some(({ cluster }) => cluster === undefined) ? [unknown] : [])];
  return drivers
    .filter((driver) => !unread.drivers.includes(driver))
    .flatMap((driver) =>
      places.flatMap((cluster) =>
        names.map((name): Measurement => {
          const counted = report.findings.filter((finding) => {
            return finding.driver === driver && (finding.cluster ?? unknown) === cluster && counterOf(finding) === name;
          });
          return { name, unit: 'Count', value: counted.length, dimensions: { driver, cluster } };
        }),
      ),
    );
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
