import type { Name, NamespaceName, ResourceVersion, Uid } from '../../kubernetes/brands.ts';
import type { ClusterObject, Condition } from '../../kubernetes/objects.ts';
import type { AccessMode, Parameters } from './drivers/driver.ts';

/** The kinds of the bucket specification, cosi.io/v1alpha1, as they are on the wire. */

declare module '../../kubernetes/kinds.ts' {
  interface Shapes {
    bucket: Bucket;
    bucketClass: BucketClass;
    bucketContent: BucketContent;
    registration: Registration;
  }
}

export type ReleasePolicy = 'Delete' | 'Retain';

export interface SecretPlace {
  namespace: NamespaceName;
  name: Name;
}

export interface Bucket extends ClusterObject {
  kind: 'Bucket';
  spec: {
    bucketPrefix?: string;
    bucketClassName: Name;
    secretName: Name;
  };
  status?: {
    bucketContentName?: string;
    phase?: 'Pending' | 'Bound';
    observedGeneration?: number;
    conditions?: Condition[];
  };
}

/** Its fields are at the top, as the specification has them. A class never changes. */
export interface BucketClass extends ClusterObject {
  kind: 'BucketClass';
  provisioner?: string;
  supportedProtocols?: string[];
  accessMode?: AccessMode;
  releasePolicy?: ReleasePolicy;
  bucketIdentifier?: string;
  secretRef?: SecretPlace;
  parameters?: Parameters;
}

export type ContentPhase = 'Ready' | 'Bound' | 'Released' | 'Retrying' | 'Failed';

export interface BucketContent extends ClusterObject {
  kind: 'BucketContent';
  spec: {
    /** Absent for a static bucket. */
    provisioner?: string;
    /** Which of the three ways of the specification; the class, which tells as well, may be gone. */
    flow: 'Greenfield' | 'Brownfield' | 'Static';
    releasePolicy: ReleasePolicy;
    accessModes?: AccessMode[];
    supportedProtocols?: string[];
    bucketClassName: Name;
    bucketRef: { namespace: NamespaceName; name: Name; uuid: Uid; resourceVersion?: ResourceVersion };
    /** Where the credentials are that are copied into the Bucket's namespace. */
    secretRef?: SecretPlace;
    /** The bucket's name in the store. */
    bucketIdentifier?: string;
    parameters?: Parameters;
  };
  status?: {
    message?: string;
    phase?: ContentPhase;
    observedGeneration?: number;
    conditions?: Condition[];
    /** Who may call the store for this content now, and until when. */
    lease?: { holder: string; until: string };
    /** When the store was first called, by which deployment, and by which parameters, settled once and for all. */
    startedAt?: string;
    startedBy?: string;
    /** When access was last worked on: the store may not know everywhere yet what was made then. */
    calledAt?: string;
    settledParameters?: Parameters;
    /** When the last attempt failed for good: the next one rests for a while. */
    failedAt?: string;
    /** How much of the bucket has been emptied since its deletion began. */
    emptied?: number;
  };
}

export interface Registration extends ClusterObject {
  kind: 'COSIRegistration';
  spec: {
    /** Which deployment serves the driver of this name; another one's restart is told from its own by this. */
    identity: string;
    supportedProtocols?: string[];
  };
}
