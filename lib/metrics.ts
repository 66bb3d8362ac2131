/** What is counted: each is a metric of CloudWatch, in the namespace Longshore. */
export interface Measurement {
  name:
    | 'TransfersStarted'
    | 'TransfersCompleted'
    | 'TransfersFailed'
    | 'TransferDuration'
    | 'BucketsBound'
    | 'BucketsFailed'
    | 'BucketDuration'
    | 'BucketRequestsAccepted'
    | 'BucketRequestsRefused'
    | 'OrphanedBuckets'
    | 'OrphanedUsers'
    | 'OrphanedKeys'
    | 'MissingBuckets'
    | 'MissingCredentials'
    | 'ForwarderLag'
    | 'CheckpointAge'
    | 'MessagesForwarded'
    | 'MessagesRetried'
    | 'ForwarderLists'
    | 'cross_namespace_persistentvolumeclaim_provision_total'
    | 'cross_namespace_persistentvolumeclaim_provision_failed_total';
  unit: 'Count' | 'Milliseconds' | 'Seconds';
  value: number;
  /** What it is counted by. Few values, all known beforehand: each combination is a metric of its own. */
  dimensions: Record<string, string>;
}

const namespace = 'Longshore';

/**
 * One line of a log from which CloudWatch makes a metric by itself (embedded metric format): no call is made for it, so
 * none can fail or take time. It is counted by all of its dimensions, and by each leading part of them.
 */
export function embeddedMetric({ name, unit, value, dimensions }: Measurement, now: Date, also: object = {}): string {
  const names = Object.keys(dimensions);
  const leading = names.map((_, index) => names.slice(0, index + 1));
  return JSON.stringify({
    ...also,
    _aws: {
      Timestamp: now.getTime(),
      CloudWatchMetrics: [{ Namespace: namespace, Dimensions: leading, Metrics: [{ Name: name, Unit: unit }] }],
    },
    ...dimensions,
    [name]: value,
  });
}
