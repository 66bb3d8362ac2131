import type { ClusterApi } from '../../cli/connect/cluster-api.ts';
import { people } from './case-people.ts';

const transfers = 'transfer.storage.k8s.io/v1alpha1';
const buckets = 'cosi.io/v1alpha1';
const kind = 'PersistentVolumeClaim';

/** What the commands are about: for each person something to withdraw, to offer and to delete. */
export async function makeScene(api: ClusterApi): Promise<void> {
  const make = (group: string, plural: string, namespace: string, object: object) =>
    api.create(`/${group === 'v1' ? 'api' : 'apis'}/${group}/namespaces/${namespace}/${plural}`, {
      apiVersion: group,
      ...object,
    });
  const claim = (namespace: string, name: string, annotations = {}) =>
    make('v1', 'persistentvolumeclaims', namespace, {
      kind,
      metadata: { name, annotations },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'none', resources: { requests: { storage: '1Gi' } } },
    });
  const request = (name: string) =>
    make(transfers, 'storagetransferrequests', 'team-a', {
      kind: 'StorageTransferRequest',
      metadata: { name },
      spec: { source: { kind, namespace: 'team-b', name: 'db' }, approvalName: 'team-a.db', targetName: 'got' },
    });
  const approval = (name: string) =>
    make(transfers, 'storagetransferapprovals', 'team-a', {
      kind: 'StorageTransferApproval',
      metadata: { name },
      spec: { source: { kind, name: 'db' }, targetNamespace: 'team-b', requestName: 'team-a.db' },
    });
  const bucket = (name: string) =>
    make(buckets, 'buckets', 'team-a', {
      kind: 'Bucket',
      metadata: { name },
      spec: { bucketClassName: 'standard', secretName: `${name}-access` },
    });
  await api.create(`/apis/${buckets}/bucketclasses`, {
    apiVersion: buckets,
    kind: 'BucketClass',
    metadata: { name: 'standard' },
    provisioner: 'none.example.com',
    releasePolicy: 'Delete',
  });
  await Promise.all([claim('team-a', 'db'), claim('team-b', 'db'), request('asked'), bucket('kept')]);
  for (const person of people) {
    await Promise.all([
      claim('team-a', `offered-${person}`),
      claim('team-a', `cancelled-${person}`, { transferRequest: 'team-b/cancelled' }),
      request(`cancelled-${person}`),
      approval(`cancelled-${person}`),
      bucket(`deleted-${person}`),
    ]);
  }
}

/** As a forwarder of a deployment leaves its Lease, by which commands know the cluster. */
export async function forwarderHasRun(api: ClusterApi, name: string, cluster: string): Promise<void> {
  const leases = '/apis/coordination.k8s.io/v1/namespaces/longshore-system/leases';
  const { metadata } = await api.create(leases, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name },
    spec: { renewTime: new Date().toISOString().replace('Z', '000Z') },
  });
  const annotations = { 'longshore.dev/cluster': cluster, 'longshore.dev/lease-uid': metadata.uid };
  await api.patch(`${leases}/${name}`, { metadata: { annotations } });
}

/** The names of everything in the namespace that commands write. */
export async function namesIn(api: ClusterApi, namespace: string): Promise<string[]> {
  const plurals = [
    ['api/v1', 'persistentvolumeclaims'],
    [`apis/${transfers}`, 'storagetransferrequests'],
    [`apis/${transfers}`, 'storagetransferapprovals'],
    ['apis/snapshot.storage.k8s.io/v1alpha1', 'volumesnapshotlinks'],
    [`apis/${buckets}`, 'buckets'],
  ];
  const lists = plurals.map(async ([root, plural]) => {
    const found = (await api.list(`/${root}/namespaces/${namespace}/${plural}`)) ?? [];
    return found.map(({ metadata }) => `${plural}/${metadata.name}`);
  });
  return (await Promise.all(lists)).flat().sort();
}
