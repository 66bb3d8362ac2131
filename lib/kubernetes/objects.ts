import type { Name, NamespaceName, ResourceVersion, Uid } from './brands.ts';
import type { ClusterObject, Condition } from './cluster-object.ts';
import type { TransferRequest } from './transfer-crds.ts';

export type { ClusterObject, Condition, ManagedFields, ObjectMeta, OwnerReference } from './cluster-object.ts';
export type { TransferApproval, TransferRequest } from './transfer-crds.ts';

/**
 * The shapes of the Kubernetes objects that Longshore reads, limited to the fields that it reads; those of its own kinds are
 * generated from their definitions.
 * They describe the JSON on the wire: times are strings, absent fields are undefined.
 */

export interface DataSource {
  /** Absent for the core group. */
  apiGroup?: string | null;
  kind: string;
  name: Name;
}

export interface ClaimSpec {
  accessModes?: string[];
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  storageClassName?: Name;
  volumeMode?: string;
  volumeName?: Name;
  volumeAttributesClassName?: string;
  dataSource?: DataSource;
  /** Has a namespace only if the server's alpha feature gate for it is on. */
  dataSourceRef?: DataSource & { namespace?: NamespaceName };
}

export interface Claim extends ClusterObject {
  kind: 'PersistentVolumeClaim';
  spec: ClaimSpec;
  status?: {
    phase?: 'Pending' | 'Bound' | 'Lost';
    conditions?: Condition[];
    /** Set while the volume is being resized, or changed to another attributes class. */
    allocatedResourceStatuses?: Record<string, string>;
    modifyVolumeStatus?: object;
  };
}

export type ReclaimPolicy = 'Delete' | 'Retain' | 'Recycle';

export interface SecretReference {
  name?: Name;
  namespace?: NamespaceName;
}

export interface Volume extends ClusterObject {
  kind: 'PersistentVolume';
  spec: {
    claimRef?: {
      apiVersion?: string;
      kind?: string;
      namespace?: NamespaceName;
      name?: Name;
      uid?: Uid;
      resourceVersion?: ResourceVersion;
    };
    persistentVolumeReclaimPolicy?: ReclaimPolicy;
    accessModes?: string[];
    capacity?: Record<string, string>;
    storageClassName?: Name;
    volumeMode?: string;
    volumeAttributesClassName?: string;
    /** The driver's part; its secret references are the fields whose names end in `SecretRef`. */
    csi?: Record<string, unknown>;
  };
  status?: { phase?: 'Pending' | 'Available' | 'Bound' | 'Released' | 'Failed' };
}

export interface Pod extends ClusterObject {
  kind: 'Pod';
  spec?: {
    nodeName?: string;
    volumes?: { name: string; persistentVolumeClaim?: { claimName: Name }; ephemeral?: object }[];
  };
  status?: { phase?: string };
}

export type TransferStatus = NonNullable<TransferRequest['status']>;

/** Lets objects of one kind in one namespace refer to objects of another kind in the grant's namespace. */
export interface ReferenceGrant extends ClusterObject {
  kind: 'ReferenceGrant';
  spec?: {
    from?: { group: string; kind: string; namespace: NamespaceName }[];
    /** Without a name, all objects of the kind. */
    to?: { group: string; kind: string; name?: Name }[];
  };
}

export interface StorageClass extends ClusterObject {
  kind: 'StorageClass';
  provisioner: string;
  parameters?: Record<string, string>;
  reclaimPolicy?: ReclaimPolicy;
  volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer';
}

/** A namespace that was deleted and recreated is a different one, perhaps of other people. */
export interface Namespace extends ClusterObject {
  kind: 'Namespace';
}

export interface ConfigMap extends ClusterObject {
  kind: 'ConfigMap';
  data?: Record<string, string>;
}

export interface Secret extends ClusterObject {
  kind: 'Secret';
  type?: string;
  /** Each value in base64. */
  data?: Record<string, string>;
  immutable?: boolean;
}

/** An Event, with the fields of both its versions: most components still write the older one. */
export interface KubernetesEvent extends ClusterObject {
  kind: 'Event';
  regarding?: {
    apiVersion?: string;
    kind?: string;
    namespace?: NamespaceName | undefined;
    name?: Name;
    uid?: Uid | undefined;
    resourceVersion?: ResourceVersion | undefined;
  };
  type?: string;
  reason?: string;
  note?: string;
  action?: string;
  reportingController?: string;
  reportingInstance?: string;
  eventTime?: string | null;
  series?: { count?: number; lastObservedTime?: string } | null;
  deprecatedCount?: number;
  deprecatedFirstTimestamp?: string | null;
  deprecatedLastTimestamp?: string | null;
  deprecatedSource?: { component?: string };
}
