/** How often a metric has data. CloudWatch bills a metric for the hours in which it has any. */
export type Reported = 'each minute' | 'each day' | 'with each batch' | 'with each result' | 'with each failure';

export interface MetricDefinition {
  /**
   * The sets of dimensions by which CloudWatch makes a metric of it, each beside the deployment. Each combination of values
   * costs, each month. What has none is only in the log, where every line has all of its dimensions.
   */
  readonly by: readonly (readonly string[])[];
  readonly reported: Reported;
}

const byDeployment = [[]] as const;
const byCluster = [['Cluster']] as const;
const inLog = [] as const;

/** Metrics in the namespace Longshore, and what the log has beside them. Each is explained in the documents. */
export const metricDefinitions = {
  TransfersStarted: { by: inLog, reported: 'with each result' },
  TransfersCompleted: { by: byDeployment, reported: 'with each result' },
  TransfersFailed: { by: byDeployment, reported: 'with each failure' },
  TransferDuration: { by: byDeployment, reported: 'with each result' },
  BucketsBound: { by: byDeployment, reported: 'with each result' },
  BucketsFailed: { by: byDeployment, reported: 'with each failure' },
  BucketDuration: { by: inLog, reported: 'with each result' },
  BucketRequestsAccepted: { by: inLog, reported: 'with each result' },
  BucketRequestsRefused: { by: inLog, reported: 'with each failure' },
  OrphanedBuckets: { by: inLog, reported: 'each day' },
  OrphanedUsers: { by: inLog, reported: 'each day' },
  OrphanedKeys: { by: inLog, reported: 'each day' },
  MissingBuckets: { by: inLog, reported: 'each day' },
  MissingCredentials: { by: inLog, reported: 'each day' },
  StoresNotRead: { by: byDeployment, reported: 'each day' },
  StoreFindings: { by: byDeployment, reported: 'each day' },
  ForwarderDelay: { by: byCluster, reported: 'each minute' },
  ForwarderLag: { by: inLog, reported: 'each minute' },
  CheckpointAge: { by: inLog, reported: 'each minute' },
  MessagesForwarded: { by: inLog, reported: 'each minute' },
  MessagesDeferred: { by: inLog, reported: 'each minute' },
  MessagesRetried: { by: inLog, reported: 'each minute' },
  MessagesWaiting: { by: inLog, reported: 'each minute' },
  MessagesInFlight: { by: inLog, reported: 'each minute' },
  UnfinishedObjects: { by: byCluster, reported: 'each minute' },
  UnarchivedBytes: { by: inLog, reported: 'each minute' },
  Volumes: { by: inLog, reported: 'each minute' },
  VolumesKept: { by: inLog, reported: 'each minute' },
  ForwarderLists: { by: inLog, reported: 'each minute' },
  WatchFailures: { by: inLog, reported: 'each minute' },
  MessagesHandled: { by: byDeployment, reported: 'with each batch' },
  MessagesFailed: { by: inLog, reported: 'with each failure' },
  UrgentFailures: { by: byDeployment, reported: 'with each failure' },
  OutageFailures: { by: byDeployment, reported: 'with each failure' },
  MessagesGivenUp: { by: inLog, reported: 'with each batch' },
  MessageAge: { by: byDeployment, reported: 'with each batch' },
  MessageDeliveries: { by: inLog, reported: 'with each batch' },
  ClusterWrites: { by: inLog, reported: 'with each batch' },
  ClusterConflicts: { by: inLog, reported: 'with each batch' },
  cross_namespace_persistentvolumeclaim_provision_total: { by: byDeployment, reported: 'with each result' },
  cross_namespace_persistentvolumeclaim_provision_failed_total: { by: byDeployment, reported: 'with each failure' },
} as const satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof metricDefinitions;

export const metricNames = Object.keys(metricDefinitions) as MetricName[];
