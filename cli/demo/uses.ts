import type { BucketClass } from '../../lib/capabilities/buckets/objects.ts';
import type { StorageClass } from '../../lib/kubernetes/objects.ts';
import { collectionPath, objectPath, resources } from '../../lib/kubernetes/resources.ts';
import type { ClusterApi } from '../connect/cluster-api.ts';
import { ifAllowed } from '../objects/refusals.ts';
import { grantVersion } from '../restore/grant.ts';
import {
  type CsiNode,
  chooseBucketClass,
  chooseNode,
  chooseSnapshotClass,
  chooseStorageClass,
  type Node,
  type SnapshotClass,
} from './choose.ts';
import { lackingFor } from './permissions.ts';

/** What the demo uses of the cluster, and what it says of that. */

/** What the user has named. */
export interface Wanted {
  storageClass?: string | undefined;
  snapshotClass?: string | undefined;
  bucketClass?: string | undefined;
  node?: string | undefined;
}

export interface StorageUse {
  className: string;
  driver: string;
  /** Of a class that waits for a pod: the node that its claims name, as the scheduler would write it. */
  node: string | undefined;
  said: string;
}

export interface SnapshotUse {
  className: string;
  grantVersion: string;
  said: string;
}

export interface BucketUse {
  className: string;
  said: string;
}

type Use<T> = T | { lacking: string };

const storagePath = '/apis/storage.k8s.io/v1';
const snapshotClasses = '/apis/snapshot.storage.k8s.io/v1/volumesnapshotclasses';

export async function useOfStorage(api: ClusterApi, wanted: Wanted): Promise<Use<StorageUse>> {
  const classes = await ifAllowed(() => api.list<StorageClass>(collectionPath(resources.storageClass)));
  if (!classes) return { lacking: 'you may not list StorageClasses: ask a cluster administrator' };
  const choice = chooseStorageClass(classes, wanted.storageClass);
  if ('lacking' in choice) return choice;
  const { metadata, provisioner: driver, volumeBindingMode } = choice.found;
  const className = metadata.name;
  const said = `${className}, of ${driver}`;
  if (volumeBindingMode !== 'WaitForFirstConsumer') return { className, driver, node: undefined, said };
  const node = wanted.node ?? (await readyNode(api, driver));
  const waits = `${className} waits for the node of a pod`;
  if (node === undefined) {
    return { lacking: `${waits}, and no node of its driver is ready, or you may not list nodes: name one with --node` };
  }
  return { className, driver, node, said: `${said}; it ${waits.slice(className.length + 1)}: ${node} is used` };
}

async function readyNode(api: ClusterApi, driver: string): Promise<string | undefined> {
  const [nodes, csiNodes] = await Promise.all([
    ifAllowed(() => api.list<Node>('/api/v1/nodes')),
    ifAllowed(() => api.list<CsiNode>(`${storagePath}/csinodes`)),
  ]);
  return chooseNode(nodes ?? [], csiNodes ?? [], driver);
}

export async function useOfSnapshots(
  api: ClusterApi,
  driver: string,
  namespace: string,
  { snapshotClass }: Wanted,
): Promise<Use<SnapshotUse>> {
  const lists = api.list<SnapshotClass>(snapshotClasses).then((all) => all ?? 'unserved');
  const [classes, version] = await Promise.all([ifAllowed(() => lists), grantVersion({ api })]);
  if (classes === 'unserved') return { lacking: 'the cluster does not serve VolumeSnapshots' };
  if (classes === undefined) return { lacking: 'you may not list VolumeSnapshotClasses' };
  if (version === undefined) return { lacking: 'the cluster has no kind ReferenceGrant' };
  const choice = chooseSnapshotClass(classes, driver, snapshotClass);
  if ('lacking' in choice) return choice;
  const className = choice.found.metadata.name;
  return unlessLacking(api, 'snapshot', namespace, { className, grantVersion: version, said: className });
}

export async function useOfBuckets(
  api: ClusterApi,
  namespace: string,
  { bucketClass }: Wanted,
): Promise<Use<BucketUse>> {
  const lists = api.list<BucketClass>(collectionPath(resources.bucketClass)).then((all) => all ?? 'unserved');
  const classes = await ifAllowed(() => lists);
  if (classes === 'unserved') return { lacking: 'the cluster has no kind BucketClass' };
  if (classes === undefined) return { lacking: 'you may not list BucketClasses' };
  const choice = chooseBucketClass(classes, bucketClass);
  if ('lacking' in choice) return choice;
  const { metadata, provisioner = '' } = choice.found;
  const path = objectPath({ resource: resources.registration, name: provisioner });
  const isServed = (await ifAllowed(async () => (await api.get(path)) !== undefined)) ?? true;
  if (!isServed) return { lacking: `nobody serves driver ${provisioner} of BucketClass ${metadata.name}` };
  const className = metadata.name;
  return unlessLacking(api, 'bucket', namespace, { className, said: `${className}, of ${provisioner}` });
}

async function unlessLacking<T>(
  api: ClusterApi,
  what: 'snapshot' | 'bucket',
  namespace: string,
  use: T,
): Promise<Use<T>> {
  const lacking = (await lackingFor(api, what, namespace)) ?? [];
  return lacking.length === 0 ? use : { lacking: `you may not ${lacking.join('; ')}` };
}
