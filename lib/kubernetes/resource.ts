export interface Resource {
  apiVersion: string;
  kind: string;
  plural: string;
  namespaced: boolean;
  /** Older versions, in the order of preference, for a kind that a cluster may serve in any of them or not at all. */
  olderVersions?: readonly string[];
  /** The cluster may not have the definition, which may be newer than what was applied there. */
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
