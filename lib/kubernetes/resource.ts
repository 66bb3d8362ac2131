import type { ClusterObject } from './objects.ts';

/** Exists only for the compiler: the type of a kind's objects. */
declare const shape: unique symbol;

/** A kind, and by its type what its objects look like; without one no more is known of them than of any object. */
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
   * The forwarder never asks for more than the metadata, so that the contents stay in the cluster. What somebody wrote
   * into an annotation is metadata, and `kubectl apply` writes the whole object there.
   */
  metadataOnly?: true;
  /** Which of them may concern anybody, in the words of the API server: the others are not even sent. */
  fieldSelector?: string;
  /** An administrator may decide not to let the forwarder see objects of this kind. */
  mayBeDenied?: true;
}
