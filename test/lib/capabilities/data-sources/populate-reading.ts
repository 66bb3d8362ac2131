import { populateClaim } from '../../../../lib/capabilities/data-sources/steps/populate-claim/step.ts';
import type { Cluster } from '../../../../lib/kubernetes/cluster.ts';
import type { ClusterObject } from '../../../../lib/kubernetes/objects.ts';
import {
  linkGrant,
  namespace,
  snapshotContent,
  snapshotLink,
  storageClass,
  volumeSnapshot,
} from '../../../support/builders-of-snapshots.ts';
import { clusterOf } from '../cluster-of.ts';
import { claimKey } from './populate-play.ts';
import { now } from './populate-stages.ts';

/** What is asked of a cluster when test/copy is read, and the objects that it leads to. */

export const group = '/apis/snapshot.storage.k8s.io';
export const paths = {
  claim: '/api/v1/namespaces/test/persistentvolumeclaims/copy',
  contentCopy: `${group}/v1/volumesnapshotcontents/populate-uid-claim`,
  snapshotCopy: `${group}/v1/namespaces/longshore-system/volumesnapshots/populate-uid-claim`,
  prime: '/api/v1/namespaces/longshore-system/persistentvolumeclaims/populate-uid-claim',
  link: `${group}/v1alpha1/namespaces/test/volumesnapshotlinks/yesterday`,
  grants: 'ReferenceGrant in prod',
  namespace: '/api/v1/namespaces/test',
  sourceNamespace: '/api/v1/namespaces/prod',
  snapshot: `${group}/v1/namespaces/prod/volumesnapshots/backup`,
  content: `${group}/v1/volumesnapshotcontents/content-1`,
  storageClass: '/apis/storage.k8s.io/v1/storageclasses/fast',
  settings: '/api/v1/namespaces/longshore-system/configmaps/longshore',
  volume: '/api/v1/persistentvolumes/pvc-uid-prime',
  events: 'Event in longshore-system',
};
export const copies = [paths.contentCopy, paths.snapshotCopy, paths.prime];
export const source = [
  snapshotLink(),
  linkGrant(),
  volumeSnapshot(),
  snapshotContent(),
  storageClass(),
  namespace('test'),
  namespace('prod'),
];

/** A cluster that remembers how old a list might be as well. */
export function recording(...objects: ClusterObject[]): Cluster & { asked: string[]; ages: string[] } {
  const cluster = clusterOf(...objects);
  const ages: string[] = [];
  const list: Cluster['list'] = (resource, namespace, age, ...more) => {
    ages.push(`${resource.kind} ${age ?? 'present'}`);
    return cluster.list(resource, namespace, age, ...more);
  };
  return { ...cluster, asked: cluster.asked as string[], ages, list };
}

export async function reading(...objects: ClusterObject[]) {
  const cluster = recording(...objects);
  const world = await populateClaim.read(cluster, claimKey, now);
  return { world, asked: [...cluster.asked].sort(), ages: cluster.ages };
}

export const sorted = (...expected: string[]) => expected.sort();
