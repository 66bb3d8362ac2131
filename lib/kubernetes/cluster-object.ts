import type { Name, NamespaceName, ResourceVersion, Uid } from './brands.ts';

/** The fields common to all objects, as JSON on the wire. */

export interface ObjectMeta {
  name: Name;
  namespace?: NamespaceName;
  uid?: Uid;
  resourceVersion?: ResourceVersion;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  /** The managers that wrote each field, as the server saw it: this also shows fields that were dropped. */
  managedFields?: ManagedFields[];
}

export interface ManagedFields {
  manager?: string;
  operation?: string;
  subresource?: string;
  time?: string;
  fieldsV1?: Record<string, unknown>;
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: Name;
  uid: Uid;
  controller?: boolean;
}

export interface ClusterObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  observedGeneration?: number;
  lastTransitionTime: string;
}
