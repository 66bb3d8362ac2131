import { type Alarm, metricNamed } from './alarm.ts';
import type { DeploymentContext } from './deployment-context.ts';

const daySeconds = 24 * 60 * 60;
const whereToRead =
  'The ConfigMap longshore-system/bucket-orphans of each cluster names them. See docs/bucket-orphans.md#read-the-report.';

/** Findings of the daily comparison, reported each day until they are fixed. */
export function alarmsOfStores({ service, parameters, name: deployment }: DeploymentContext): Alarm[] {
  if (!service.functions['sweep-buckets'] || parameters.drivers.length === 0) return [];
  const shared = { above: 0, periodSeconds: daySeconds, missingData: 'ignore' } as const;
  const ofDeployment = { Deployment: deployment };
  return [
    {
      ...shared,
      id: 'StoreFindings',
      name: 'store-findings',
      description: `A store has users whose Bucket is gone, or keys that are no longer in use; or no bucket, or no user for the credentials, of some Buckets. ${whereToRead}`,
      metrics: [metricNamed('StoreFindings', 'Maximum', ofDeployment)],
    },
    {
      ...shared,
      id: 'StoresNotRead',
      name: 'stores-not-read',
      // Nothing in them is counted, however long that lasts.
      description: `A store has not responded at an address that a cluster uses, so nothing in it is compared. ${whereToRead}`,
      metrics: [metricNamed('StoresNotRead', 'Maximum', ofDeployment)],
    },
  ];
}
