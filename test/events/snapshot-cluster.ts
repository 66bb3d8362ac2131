import { contentCopyFor, primeFor, snapshotCopyFor } from '../../lib/capabilities/data-sources/copies.ts';
import type { Claim, ClusterObject } from '../../lib/kubernetes/objects.ts';
import { FakeCluster, nameOfObject } from '../simulation/fake-cluster.ts';
import { volume } from '../support/builders.ts';
import {
  linkedClaim,
  linkGrant,
  snapshotContent,
  snapshotDriver,
  snapshotLink,
  storageClass,
  volumeSnapshot,
} from '../support/builders-of-snapshots.ts';

/** What samples of snapshots are about: the snapshot prod/backup, and claims that want its data. */

const asked = linkedClaim({ metadata: { namespace: 'stage', name: 'restored', finalizers: [] } });
export const restoredName = nameOfObject(asked);
export const grantToStage = linkGrant({
  spec: { from: [{ group: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshotLink', namespace: 'stage' }] },
});

/** The snapshot with its content, and in stage a link to it and the claim that waits for it. */
export async function clusterWithSnapshot(now: () => Date, ...more: ClusterObject[]): Promise<FakeCluster> {
  const cluster = new FakeCluster(now);
  cluster.namespaces.add('prod', 'stage', 'longshore-system');
  const { uid = '' } = (await add(cluster, volumeSnapshot())).metadata;
  await add(cluster, snapshotContent({ spec: { volumeSnapshotRef: { namespace: 'prod', name: 'backup', uid } } }));
  const link = snapshotLink({ metadata: { namespace: 'stage' } });
  for (const object of [link, storageClass(), asked, ...more]) await add(cluster, object);
  return cluster;
}

/** The copies for a claim of the same name that had another uid. */
export async function leaveCopies(cluster: FakeCluster, uid: string): Promise<ClusterObject[]> {
  const owner: Claim = { ...asked, metadata: { ...asked.metadata, uid } };
  const snapshot = cluster.read(nameOfObject(volumeSnapshot())) ?? volumeSnapshot();
  const content = contentCopyFor(owner, snapshot, snapshotContent());
  const copies = [content, snapshotCopyFor(owner, content), primeFor(owner, content)];
  for (const copy of copies) await add(cluster, copy);
  return copies;
}

/** The claim prod/again, to which its provisioner has given a volume with the data of prod/backup. */
export async function addRestored(cluster: FakeCluster): Promise<void> {
  const dataSourceRef = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'backup' };
  const again = linkedClaim({ metadata: { namespace: 'prod', name: 'again' }, spec: { dataSourceRef } });
  const { uid = '' } = (await cluster.create(nameOfObject(again), again)).metadata;
  const name = `pvc-${uid}`;
  const annotations = { 'pv.kubernetes.io/provisioned-by': snapshotDriver };
  const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: 'prod', name: 'again', uid };
  await add(cluster, volume({ metadata: { name, annotations }, spec: { csi: { driver: snapshotDriver }, claimRef } }));
  cluster.update(nameOfObject(again), { spec: { volumeName: name } });
  cluster.update(nameOfObject(again), { status: { phase: 'Bound' } }, undefined, 'status');
}

/** With its status, as whoever looks after the object has written it. */
async function add(cluster: FakeCluster, object: ClusterObject & { status?: object }): Promise<ClusterObject> {
  const made = await cluster.create(nameOfObject(object), object);
  return object.status ? cluster.update(nameOfObject(object), { status: object.status }, undefined, 'status') : made;
}
