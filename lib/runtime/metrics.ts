/** Each is a metric of CloudWatch, in the namespace Longshore, and is explained in the documents. */
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
  /** One, or several that were measured at a time: CloudWatch takes up to a hundred in a line. */
  value: number | number[];
  /** What it is counted by within a deployment. Few values, all known beforehand: each combination is a metric of its own. */
  dimensions: Record<string, string>;
}

const namespace = 'Longshore';

/** What has been deployed by nobody, such as a process on somebody's machine. */
export const anyDeployment = 'longshore';

/**
 * Lines of a log from which CloudWatch makes metrics by itself (embedded metric format): no call is made for them, so none
 * can fail or take time. Each is counted by all of its dimensions, and by each leading part of them, of which the
 * deployment is the first: else one that is well would hide another of the same account that is not. What has the same
 * dimensions is in one line.
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
