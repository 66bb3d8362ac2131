/** CloudWatch metrics in the namespace Longshore. Each is explained in the documents. */
export const metricNames = [
  'TransfersStarted',
  'TransfersCompleted',
  'TransfersFailed',
  'TransferDuration',
  'BucketsBound',
  'BucketsFailed',
  'BucketDuration',
  'BucketRequestsAccepted',
  'BucketRequestsRefused',
  'OrphanedBuckets',
  'OrphanedUsers',
  'OrphanedKeys',
  'MissingBuckets',
  'MissingCredentials',
  'StoresNotRead',
  'ForwarderLag',
  'CheckpointAge',
  'MessagesForwarded',
  'MessagesDeferred',
  'MessagesRetried',
  'MessagesWaiting',
  'MessagesInFlight',
  'UnfinishedObjects',
  'UnarchivedBytes',
  'Volumes',
  'VolumesKept',
  'ForwarderLists',
  'WatchFailures',
  'MessagesHandled',
  'MessagesFailed',
  'MessagesGivenUp',
  'MessageAge',
  'MessageDeliveries',
  'ClusterWrites',
  'ClusterConflicts',
  'cross_namespace_persistentvolumeclaim_provision_total',
  'cross_namespace_persistentvolumeclaim_provision_failed_total',
] as const;

export interface Measurement {
  name: (typeof metricNames)[number];
  unit: 'Count' | 'Milliseconds' | 'Seconds' | 'Bytes';
  /** One value, or several that were measured together: CloudWatch accepts up to a hundred per line. */
  value: number | number[];
  /** Dimensions besides the deployment. Few values, all known beforehand: each combination is a separate metric. */
  dimensions: Record<string, string>;
}

const namespace = 'Longshore';

/** For a process outside any deployment, such as one on a developer's machine. */
export const anyDeployment = 'longshore';

/**
 * Log lines from which CloudWatch extracts metrics (embedded metric format): no call is made for them, so none can fail or
 * take time. Each is published under all of its dimensions, and under each leading part of them, the first of which is the
 * deployment: otherwise a healthy deployment would hide an unhealthy one in the same account. Metrics with the same
 * dimensions share a line.
 */
export function embeddedMetrics(measurements: readonly Measurement[], deployment: string, now: Date): object[] {
  const lines = Map.groupBy(measurements, ({ dimensions }) => JSON.stringify(dimensions));
  return [...lines.values()].map((line) => embedded(line, deployment, now));
}

function embedded(measurements: readonly Measurement[], deployment: string, now: Date): object {
  const dimensions = { Deployment: deployment, ...measurements[0]?.dimensions };
  const names = Object.keys(dimensions);
  const leading = names.map((_, index) => names.slice(0, index + 1));
  const byName = [...Map.groupBy(measurements, ({ name }) => name)];
  const metrics = byName.map(([name, [first]]) => ({ Name: name, Unit: first?.unit }));
  const values = byName.map(([name, [first, ...others]]) => {
    return [name, others.length > 0 ? [first, ...others].flatMap((each) => each?.value) : first?.value];
  });
  return {
    _aws: {
      Timestamp: now.getTime(),
      CloudWatchMetrics: [{ Namespace: namespace, Dimensions: leading, Metrics: metrics }],
    },
    ...dimensions,
    ...Object.fromEntries(values),
  };
}
