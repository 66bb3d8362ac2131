import { type KubernetesObject, KubernetesObjectApi, PatchStrategy } from '@kubernetes/client-node';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { PatientKubeConfig } from '../../tools/local/patient-kubeconfig.ts';

export const snapshotGroup = 'snapshot.storage.k8s.io';
/** What the policy gives a claim that is populated, and no volume has. */
export const selector = { matchLabels: { 'longshore.dev/volume': 'populated' } };

interface Reference {
  apiGroup?: string;
  kind: string;
  name: string;
  namespace?: string;
}

/** A snapshot as the standard field names it; an empty namespace is written as well. */
export function snapshot(namespace?: string, name = 'backup'): Reference {
  const reference = { apiGroup: snapshotGroup, kind: 'VolumeSnapshot', name };
  return namespace === undefined ? reference : { ...reference, namespace };
}

/** The same as it is kept. */
export function kept(namespace: string, name = 'backup'): Reference {
  return { apiGroup: 'longshore.dev', kind: 'VolumeSnapshotReference', name: `${namespace}.${name}` };
}

export const linkSource: Reference = { apiGroup: snapshotGroup, kind: 'VolumeSnapshotLink', name: 'link' };

export function claimWith(metadata: { namespace: string; name: string }, spec: object) {
  const plain = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  // No class of this name exists, so nothing is provisioned and no default is filled in.
  const merged = { ...plain, storageClassName: 'made-by-hand', ...spec };
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec: merged };
}

export type SnapshotClaim = ReturnType<typeof claimWith>;

/** All ways in which a manifest is put into a cluster, as whoever the text of a kubeconfig is for. */
export function writer(kubeconfig: string) {
  const config = PatientKubeConfig.fromString(kubeconfig);
  const api = KubernetesObjectApi.makeApiClient(config);
  const patch = async (claim: SnapshotClaim, strategy: PatchStrategy, manager?: string) =>
    (await api.patch(
      claim as KubernetesObject,
      undefined,
      undefined,
      manager,
      undefined,
      strategy,
    )) as unknown as Claim;
  return {
    create: async (claim: SnapshotClaim, dryRun?: 'All') =>
      (await api.create(claim as KubernetesObject, undefined, dryRun)) as unknown as Claim,
    /** What kubectl apply sends for what it has put there before: whatever is there in another way. */
    apply: (claim: SnapshotClaim) => patch(claim, PatchStrategy.StrategicMergePatch),
    merge: (claim: SnapshotClaim) => patch(claim, PatchStrategy.MergePatch),
    serverSideApply: (claim: SnapshotClaim, manager = 'user') => patch(claim, PatchStrategy.ServerSideApply, manager),
    replace: async (claim: SnapshotClaim) => (await api.replace(claim as KubernetesObject)) as unknown as Claim,
  };
}
