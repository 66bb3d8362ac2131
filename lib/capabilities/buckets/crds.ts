// Written by `npm run generate` from manifests/crds.

import type { Name, NamespaceName, ResourceVersion, Uid } from '../../kubernetes/brands.ts';
import type { ClusterObject, Condition } from '../../kubernetes/cluster-object.ts';

declare module '../../kubernetes/kinds.ts' {
  interface Shapes {
    bucketClass: BucketClass;
    bucketContent: BucketContent;
    bucket: Bucket;
    registration: Registration;
  }
}

/**
 * Defines how the Buckets that name it are served: by new buckets of a driver, by access to an existing bucket
 * (bucketIdentifier), or by the credentials of a Secret (secretRef). It cannot be changed.
 */
export interface BucketClass extends ClusterObject {
  kind: 'BucketClass';
  /** The name of the driver. It is left out for a static bucket, which has a secretRef instead. */
  provisioner?: string;
  /** The protocols of the object store. For information only; nothing verifies them. */
  supportedProtocols?: string[];
  /** What the credentials allow; reading, writing, or both. Without it, the driver decides. */
  accessMode?: 'ro' | 'wo' | 'rw';
  /** Whether a new bucket is deleted with its contents, or stays, when its Bucket is deleted. */
  releasePolicy?: 'Delete' | 'Retain';
  /** The name of an existing bucket to grant access to. Without it, new buckets are created. */
  bucketIdentifier?: string;
  /** The Secret of a static bucket, with address and credentials, in the format that a driver would use. */
  secretRef?: {
    /** The namespace of the Secret. */
    namespace: NamespaceName;
    /** The name of the Secret. */
    name: Name;
  };
  /** Parameters for the driver. */
  parameters?: Record<string, string>;
}

/**
 * Represents one bucket of an object store, and holds everything that is needed to revoke access to it. It is created
 * for a Bucket and deleted with it; there is no need to create one by hand.
 */
export interface BucketContent extends ClusterObject {
  kind: 'BucketContent';
  /** Copied from the BucketClass and the Bucket. Only secretRef can be changed. */
  spec: {
    /** The name of the driver that serves the bucket. A static bucket has none. */
    provisioner?: string;
    /**
     * Greenfield for a new bucket, Brownfield for an existing one to which the driver grants access, and Static for one
     * whose credentials an administrator has created.
     */
    flow: 'Greenfield' | 'Brownfield' | 'Static';
    /** Whether the bucket is deleted with its contents, or stays, when its Bucket is deleted. */
    releasePolicy: 'Delete' | 'Retain';
    /** What the credentials allow. Without it, the driver decides. */
    accessModes?: ('ro' | 'wo' | 'rw')[];
    /** The protocols of the object store. For information only; nothing verifies them. */
    supportedProtocols?: string[];
    /** The name of the BucketClass, which may be gone by now. */
    bucketClassName: Name;
    /** The Bucket that this belongs to, and to no other one. */
    bucketRef: {
      /** The namespace of the Bucket. */
      namespace: NamespaceName;
      /** The name of the Bucket. */
      name: Name;
      /** The uid of the Bucket, which another Bucket of that name does not have. */
      uuid: Uid;
      /** The version of the Bucket from which this was made. */
      resourceVersion?: ResourceVersion;
    };
    /** The Secret whose credentials are copied into the Bucket's namespace. */
    secretRef?: {
      /** The namespace of the Secret. */
      namespace: NamespaceName;
      /** The name of the Secret. */
      name: Name;
    };
    /** The name of the bucket in the object store. */
    bucketIdentifier?: string;
    /** The parameters of the BucketClass for the driver. */
    parameters?: Record<string, string>;
  };
  /** The progress of the bucket. */
  status?: {
    /** Why it is in this phase, in a sentence. */
    message?: string;
    /**
     * Ready when there are credentials, Bound when the Bucket has them, Released when access has been revoked, Retrying
     * while something fails, and Failed while no attempts are made for a time.
     */
    phase?: 'Ready' | 'Bound' | 'Released' | 'Retrying' | 'Failed';
    /** The generation this describes. */
    observedGeneration?: number;
    /** Who may call the object store for this bucket now, so that there are never two at a time. */
    lease?: {
      /** The invocation that holds it. */
      holder: string;
      /** When its right to call the store ends. */
      until: string;
    };
    /** When the object store was first called; before that there is nothing in it to take away. */
    startedAt?: string;
    /** The deployment that started it. */
    startedBy?: string;
    /** When a driver last worked on giving access. */
    calledAt?: string;
    /** The parameters with all defaults filled in, as they were when the store was first called. */
    settledParameters?: Record<string, string>;
    /** When the last attempt failed for good; the next one rests for a while. */
    failedAt?: string;
    /** The number of objects removed from the bucket since its deletion began. */
    emptied?: number;
    /** The stages that have been reached, and what the bucket waits for. */
    conditions?: Condition[];
  };
}

/**
 * Requests a bucket of an object store, or access to an existing one, as its BucketClass defines. A Secret in this
 * namespace then holds the address and the credentials.
 */
export interface Bucket extends ClusterObject {
  kind: 'Bucket';
  /** The request. It cannot be changed; create another Bucket instead. */
  spec: {
    /**
     * The beginning of the name of a new bucket, in lower case; the rest of the name is random. Without it, the whole
     * name is random.
     */
    bucketPrefix?: string;
    /** The name of the BucketClass, which says whose bucket it is and how it is made. */
    bucketClassName: Name;
    /**
     * The name of the Secret that is created in this namespace, with the address of the bucket and the credentials for
     * it. No such Secret may exist yet.
     */
    secretName: Name;
  };
  /** The progress of the bucket. */
  status?: {
    /** The BucketContent that this Bucket is bound to. */
    bucketContentName?: Name;
    /** Pending until the bucket and its Secret can be used, and Bound from then on. */
    phase?: 'Pending' | 'Bound';
    /** The generation this describes. */
    observedGeneration?: number;
    /** The stages that have been reached, and what the bucket waits for. */
    conditions?: Condition[];
  };
}

/**
 * Records which deployment serves the driver with the name of this object, so that no two drivers of one name serve the
 * same buckets. To let another deployment serve the driver, delete it; it is then created again.
 */
export interface Registration extends ClusterObject {
  kind: 'COSIRegistration';
  /** Who serves the driver. It cannot be changed; delete the registration to let another one in. */
  spec: {
    /** The deployment that registered the driver. After a restart it recognizes its own registration by this. */
    identity: string;
    /** The protocols that the driver speaks. It only informs, and nothing verifies it. */
    supportedProtocols?: string[];
  };
}
