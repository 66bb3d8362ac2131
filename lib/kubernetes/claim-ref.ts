import type { ClusterObject } from './objects.ts';
import { placeOf } from './places.ts';
import { resources } from './resources.ts';

/** Binds a volume to a claim, and to no later one of its name. */
export function pointTo(claim: Pick<ClusterObject, 'metadata'>): {
  metadata: { annotations: Record<string, string | null> };
  spec: object;
} {
  return {
    // The volume controller may release volumes that it has bound itself.
    metadata: { annotations: { 'pv.kubernetes.io/bound-by-controller': null } },
    spec: {
      claimRef: {
        apiVersion: resources.claim.apiVersion,
        kind: resources.claim.kind,
        ...placeOf(claim),
        uid: claim.metadata.uid,
        resourceVersion: null,
      },
    },
  };
}
