import type { Cluster } from '../../../../kubernetes/cluster.ts';
import { clustersAtOnce, inTime } from '../../../../kubernetes/each-cluster.ts';
import { isClusterError } from '../../../../kubernetes/errors.ts';
import type { ConfigMap } from '../../../../kubernetes/objects.ts';
import { nameOf, resources } from '../../../../kubernetes/resources.ts';
import { preconditionsOf } from '../../../../reconcile/step.ts';
import type { Log } from '../../../../runtime/log.ts';
import { mapConcurrently } from '../../../../runtime/map-concurrently.ts';
import { redactedMessageOf } from '../../../../runtime/redaction.ts';
import { configMapFor, maxAnswered, measurementsOf, type Report, someOf } from '../../sweep/report.ts';
import type { ClusterAccess } from './read-clusters.ts';

export function logReport(log: Log, report: Report, drivers: readonly string[], clusters: readonly string[]): void {
  for (const message of report.problems) log.error(message);
  const shown = someOf(report.findings, maxAnswered);
  for (const { verdict, name, driver, cluster, message } of shown)
    log.info(message, { verdict, name, driver, cluster });
  const left = report.findings.length - shown.length;
  if (left > 0) log.error(`${left} more findings are not shown`);
  for (const name of report.removed) log.info('removed', { name });
  for (const { name, why } of report.refused) log.info('refused', { name, why });
  log.measure(...measurementsOf(report, drivers, clusters));
}

/** Writes each cluster's report into it, and returns the problems. */
export async function writeReports({ clusters, cluster }: ClusterAccess, report: Report): Promise<string[]> {
  const problems = await mapConcurrently(clusters, clustersAtOnce, async (name) => {
    try {
      await inTime(async (signal) => put(await cluster(name, { signal }), configMapFor(name, report)));
      return [];
    } catch (error) {
      return [`The report could not be written to the cluster ${name}: ${redactedMessageOf(error)}`];
    }
  });
  return problems.flat();
}

async function put(cluster: Cluster, wanted: ConfigMap): Promise<void> {
  const place = nameOf(resources.configMap, wanted.metadata.namespace, wanted.metadata.name);
  const found = await cluster.get(place);
  if (found) {
    await cluster.patch(place, { data: wanted.data }, { preconditions: preconditionsOf(found) });
    return;
  }
  try {
    await cluster.create(place, wanted);
  } catch (error) {
    // Another sweep has just created it.
    if (!isClusterError(error, 'exists')) throw error;
  }
}
