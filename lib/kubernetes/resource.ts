import type { ClusterObject } from './objects.ts';

/** Exists only for the compiler: the type of a kind's objects. */
declare const shape: unique symbol;

/** A kind, with the type of its objects; without one, only the fields common to all objects are known. */
export interface Resource<T extends ClusterObject = ClusterObject> {
  readonly [shape]?: T;
  apiVersion: string;
  kind: T['kind'];
  plural: string;
  namespaced: boolean;
  /** Older versions, in the order of preference, for a kind that a cluster may serve in any of them or not at all. */
  olderVersions?: readonly string[];
  /** The cluster may lack the definition, because older manifests were applied there. */
  mayBeLacking?: true;
  /**
   * The forwarder only requests the metadata, so that the contents stay in the cluster. Annotations are metadata, and
   * `kubectl apply` writes the whole object into one.
   */
  metadataOnly?: true;
  /** Selects the objects that may matter, in the API server's syntax: the others are not even sent. */
  fieldSelector?: string;
  /** An administrator may decide not to let the forwarder read objects of this kind. */
  mayBeDenied?: true;
}
