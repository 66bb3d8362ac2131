import type { Measurement } from '../../lib/runtime/metrics.ts';
import { type Alarm, idOf } from './alarm.ts';
import type { DeploymentContext } from './deployment-context.ts';

const daySeconds = 24 * 60 * 60;

/** Orphaned buckets are not among these: a class may retain them on purpose. */
const found: [Measurement['name'], string][] = [
  ['OrphanedUsers', 'users whose Bucket is gone'],
  ['OrphanedKeys', 'keys that are no longer in use'],
  ['MissingBuckets', 'no bucket for some Buckets'],
  ['MissingCredentials', 'no user for the credentials of some Buckets'],
  // Nothing in them is counted, however long that lasts.
  ['StoresNotRead', 'not responded at an address that a cluster uses'],
];

/** Findings of the daily comparison, reported each day until they are fixed. */
export function alarmsOfStores({ service, parameters, name: deployment }: DeploymentContext): Alarm[] {
  if (!service.functions['sweep-buckets']) return [];
  return parameters.drivers.flatMap(({ name: driver }) =>
    found.map(
      ([metric, what]): Alarm => ({
        id: `${metric}${idOf(driver)}`,
        name: `${metric}-${driver}`,
        description: `The store of driver ${driver} has ${what}. The ConfigMap longshore-system/bucket-orphans of each cluster names them. See docs/bucket-orphans.md#read-the-report.`,
        namespace: 'Longshore',
        metric,
        dimensions: { Deployment: deployment, driver },
        statistic: 'Maximum',
        above: 0,
        periodSeconds: daySeconds,
        missingData: 'ignore',
      }),
    ),
  );
}
