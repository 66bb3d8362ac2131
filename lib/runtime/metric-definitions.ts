/** How often a metric has data. CloudWatch bills a metric for the hours in which it has any. */
export type Reported = 'each minute' | 'each day' | 'with each batch' | 'with each result' | 'with each failure';

export interface MetricDefinition {
  /** The sets of dimensions by which CloudWatch makes a metric of it, each beside the deployment. Each combination costs. */
  readonly by: readonly (readonly string[])[];
  readonly reported: Reported;
}

/** Each leading part of the dimensions. */
const leading = (...names: string[]): string[][] => [[], ...names.map((_, index) => names.slice(0, index + 1))];

const ofTransfers = { by: leading('Cluster', 'Transfer'), reported: 'with each result' } as const;
const ofBuckets = { by: leading('Cluster', 'Flow'), reported: 'with each result' } as const;
const ofSources = { by: leading('Cluster', 'StorageClass', 'SourceKind') } as const;
const ofStores = { by: leading('driver', 'cluster'), reported: 'each day' } as const;
const ofForwarder = { by: leading('Cluster'), reported: 'each minute' } as const;
const ofBatches = { by: leading('Cluster', 'Function'), reported: 'with each batch' } as const;

/** CloudWatch metrics in the namespace Longshore. Each is explained in the documents. */
export const metricDefinitions = {
  TransfersStarted: ofTransfers,
  TransfersCompleted: ofTransfers,
  TransfersFailed: { by: leading('Cluster', 'Transfer', 'Reason'), reported: 'with each failure' },
  TransferDuration: ofTransfers,
  BucketsBound: ofBuckets,
  BucketsFailed: { by: leading('Cluster', 'Flow', 'Reason'), reported: 'with each failure' },
  BucketDuration: ofBuckets,
  BucketRequestsAccepted: { by: leading('Cluster', 'Request'), reported: 'with each result' },
  BucketRequestsRefused: { by: leading('Request', 'Reason'), reported: 'with each failure' },
  OrphanedBuckets: ofStores,
  OrphanedUsers: ofStores,
  OrphanedKeys: ofStores,
  MissingBuckets: ofStores,
  MissingCredentials: ofStores,
  StoresNotRead: ofStores,
  StoreFindings: { by: [[]], reported: 'each day' },
  ForwarderLag: ofForwarder,
  CheckpointAge: ofForwarder,
  ForwarderDelay: ofForwarder,
  MessagesForwarded: ofForwarder,
  MessagesDeferred: ofForwarder,
  MessagesRetried: ofForwarder,
  MessagesWaiting: ofForwarder,
  MessagesInFlight: ofForwarder,
  UnfinishedObjects: ofForwarder,
  UnarchivedBytes: ofForwarder,
  Volumes: ofForwarder,
  VolumesKept: ofForwarder,
  ForwarderLists: ofForwarder,
  WatchFailures: ofForwarder,
  MessagesHandled: ofBatches,
  MessagesFailed: { by: leading('Cluster', 'Reason', 'Function'), reported: 'with each failure' },
  UrgentFailures: { by: [[]], reported: 'with each failure' },
  OutageFailures: { by: [[]], reported: 'with each failure' },
  MessagesGivenUp: ofBatches,
  MessageAge: ofBatches,
  MessageDeliveries: ofBatches,
  ClusterWrites: ofBatches,
  ClusterConflicts: ofBatches,
  cross_namespace_persistentvolumeclaim_provision_total: { ...ofSources, reported: 'with each result' },
  cross_namespace_persistentvolumeclaim_provision_failed_total: { ...ofSources, reported: 'with each failure' },
} as const satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof metricDefinitions;

export const metricNames = Object.keys(metricDefinitions) as MetricName[];
