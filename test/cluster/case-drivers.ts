import { randomBytes } from 'node:crypto';
import { CoreV1Api, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { PatientKubeConfig } from '../../tools/local/patient-kubeconfig.ts';
import { storageClass } from '../../tools/local/transfer-objects.ts';
import { type ClusterClient, makeTransfer, type Shape } from '../support/cluster-client.ts';
import { testKubeconfig } from './administrator.ts';

/** What the side containers of a driver do about claims, written by hand: no driver of this name is there. */
export const driverName = 'csi.example.com';

const suffix = () => randomBytes(4).toString('hex');

/** A transfer of a claim that can be made larger. */
export async function makeGrowing(client: ClusterClient, shape: Shape = {}) {
  const storageClassName = `growing-${suffix()}`;
  await client.create({ ...storageClass(storageClassName), provisioner: driverName, allowVolumeExpansion: true });
  const transfer = await makeTransfer(client, undefined, { ...shape, both: { storageClassName } });
  const asked = (storage: string) => ({ spec: { resources: { requests: { storage } } } });
  return {
    transfer,
    grow: (storage = '2Gi') => client.change(bare(transfer.source), asked(storage)),
    /** What the resizer writes on the volume when it has been made larger. */
    hasGrown: (storage = '2Gi') => client.change(transfer.volume, { spec: { capacity: { storage } } }),
  };
}

/** An object by its name alone: what was read of it before is no precondition. */
export function bare<T extends Pick<Claim, 'apiVersion' | 'kind' | 'metadata'>>(object: T): T {
  const { namespace, name } = object.metadata;
  return { ...object, metadata: namespace === undefined ? { name } : { namespace, name } };
}

export async function makeAttributes(client: ClusterClient, kind: string): Promise<string> {
  const name = `${kind}-${suffix()}`;
  const metadata = { name };
  const parameters = { iops: '3000' };
  const apiVersion = 'storage.k8s.io/v1';
  await client.create({ apiVersion, kind: 'VolumeAttributesClass', metadata, ...{ driverName, parameters } });
  return name;
}

export async function changeStatus({ metadata: { namespace = '', name } }: Claim, status: object): Promise<void> {
  const config = PatientKubeConfig.fromFile(testKubeconfig());
  const api = config.makeApiClient(CoreV1Api);
  const merging = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
  await api.patchNamespacedPersistentVolumeClaimStatus({ namespace, name, body: { status } }, merging);
}
