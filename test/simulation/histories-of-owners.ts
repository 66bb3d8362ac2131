import type { Cluster } from '../../lib/kubernetes/cluster.ts';
import type { ClusterObject, ConfigMap, OwnerReference } from '../../lib/kubernetes/objects.ts';
import { nameOf, resources } from '../../lib/kubernetes/resources.ts';
import { preconditionsOf } from '../../lib/reconcile/step.ts';
import { type History, present, type Stage } from './history.ts';
import { volume } from './transfers/history-objects.ts';

/** What is owned by something that stands in no namespace goes when that goes, and not before the last owner has gone. */
export const historiesOfOwners: History[] = [{ name: 'owned across scopes is collected', run: ownership }];

async function ownership({ cluster, namespace, settled }: Stage): Promise<string[]> {
  const ownerName = nameOf(resources.volume, undefined, `${namespace}-volume`);
  const made = await cluster.create(ownerName, volume(ownerName.name, namespace, 'nobody'));
  const other = await cluster.create(...owned(namespace, 'other', []));
  const [byVolume, byOther] = [ownerOf(made), ownerOf(other)];
  await cluster.create(...owned(namespace, 'by-volume', [byVolume]));
  await cluster.create(...owned(namespace, 'by-both', [byVolume, byOther]));
  const see = async () => {
    const found = ['by-volume', 'by-both'].map((name) => cluster.get(nameOf(resources.configMap, namespace, name)));
    const isVolumeThere = (await cluster.get(ownerName)) !== undefined;
    return `volume ${isVolumeThere}, owned ${(await Promise.all(found)).map((object) => object !== undefined)}`;
  };
  const phase = async () => `${(await cluster.get(ownerName))?.status?.phase}`;
  const seen = [await settled(phase, 0), await settled(see, 1)];
  await remove(cluster, ownerName);
  seen.push(await settled(see, 2));
  await remove(cluster, nameOf(resources.configMap, namespace, 'other'));
  seen.push(await settled(see, 3));
  return seen;
}

async function remove(cluster: Cluster, name: Parameters<Cluster['get']>[0]): Promise<void> {
  await cluster.delete(name, preconditionsOf(await present(cluster, name)));
}

function ownerOf({ apiVersion, kind, metadata: { name, uid = '' } }: ClusterObject): OwnerReference {
  return { apiVersion, kind, name, uid };
}

function owned(namespace: string, name: string, ownerReferences: OwnerReference[]) {
  const { apiVersion, kind } = resources.configMap;
  const body: ConfigMap = { apiVersion, kind, metadata: { namespace, name, ownerReferences } };
  return [nameOf(resources.configMap, namespace, name), body] as const;
}
