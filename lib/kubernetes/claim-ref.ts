import type { ClusterObject } from './objects.ts';
import { placeOf } from './places.ts';
import { resources } from './resources.ts';

/** Gives a volume to a claim, and to no other that has its name later. */
export function pointTo(claim: Pick<ClusterObject, 'metadata'>): {
  metadata: { annotations: Record<string, string | null> };
  spec: object;
} {
  return {
    // The volume controller takes back what it has bound by itself.
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
