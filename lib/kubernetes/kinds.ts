import type {
  Claim,
  ClusterObject,
  ConfigMap,
  KubernetesEvent,
  Namespace,
  Pod,
  ReferenceGrant,
  Secret,
  StorageClass,
  Volume,
} from './objects.ts';
import type { Resource } from './resource.ts';

/** Every kind that Longshore knows: the only place with groups, versions and plurals. */

const transferVersion = 'transfer.storage.k8s.io/v1alpha1';
const snapshotVersion = 'snapshot.storage.k8s.io/v1';
const bucketVersion = 'cosi.io/v1alpha1';

/**
 * The types of each kind's objects. The kinds of manifests/crds are added where their types are generated, and a
 * capability adds the others that only it uses: the client knows only their names.
 */
export interface Shapes {
  claim: Claim;
  volume: Volume;
  namespace: Namespace;
  pod: Pod;
  event: KubernetesEvent;
  referenceGrant: ReferenceGrant;
  secret: Secret;
  storageClass: StorageClass;
  configMap: ConfigMap;
}

const kinds = {
  claim: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims', namespaced: true },
  volume: { apiVersion: 'v1', kind: 'PersistentVolume', plural: 'persistentvolumes', namespaced: false },
  namespace: { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false },
  pod: { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true },
  event: { apiVersion: 'events.k8s.io/v1', kind: 'Event', plural: 'events', namespaced: true },
  transferRequest: {
    apiVersion: transferVersion,
    mayBeLacking: true,
    kind: 'StorageTransferRequest',
    plural: 'storagetransferrequests',
    namespaced: true,
  },
  transferApproval: {
    apiVersion: transferVersion,
    mayBeLacking: true,
    kind: 'StorageTransferApproval',
    plural: 'storagetransferapprovals',
    namespaced: true,
  },
  referenceGrant: {
    apiVersion: 'gateway.networking.k8s.io/v1',
    olderVersions: ['gateway.networking.k8s.io/v1beta1', 'gateway.networking.k8s.io/v1alpha2'],
    kind: 'ReferenceGrant',
    plural: 'referencegrants',
    namespaced: true,
  },
  bucket: { apiVersion: bucketVersion, mayBeLacking: true, kind: 'Bucket', plural: 'buckets', namespaced: true },
  bucketContent: {
    apiVersion: bucketVersion,
    mayBeLacking: true,
    kind: 'BucketContent',
    plural: 'bucketcontents',
    namespaced: false,
  },
  bucketClass: {
    apiVersion: bucketVersion,
    mayBeLacking: true,
    kind: 'BucketClass',
    plural: 'bucketclasses',
    namespaced: false,
  },
  registration: {
    apiVersion: bucketVersion,
    mayBeLacking: true,
    kind: 'COSIRegistration',
    plural: 'cosiregistrations',
    namespaced: false,
  },
  secret: {
    apiVersion: 'v1',
    metadataOnly: true,
    mayBeDenied: true,
    // In most clusters nearly all Secrets are of these types, and none of them is a Bucket's.
    fieldSelector: 'type!=helm.sh/release.v1,type!=kubernetes.io/service-account-token',
    kind: 'Secret',
    plural: 'secrets',
    namespaced: true,
  },
  storageClass: {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    plural: 'storageclasses',
    namespaced: false,
  },
  snapshot: {
    apiVersion: snapshotVersion,
    mayBeLacking: true,
    kind: 'VolumeSnapshot',
    plural: 'volumesnapshots',
    namespaced: true,
  },
  snapshotContent: {
    apiVersion: snapshotVersion,
    mayBeLacking: true,
    metadataOnly: true,
    kind: 'VolumeSnapshotContent',
    plural: 'volumesnapshotcontents',
    namespaced: false,
  },
  snapshotLink: {
    apiVersion: 'snapshot.storage.k8s.io/v1alpha1',
    mayBeLacking: true,
    kind: 'VolumeSnapshotLink',
    plural: 'volumesnapshotlinks',
    namespaced: true,
  },
  volumePopulator: {
    apiVersion: 'populator.storage.k8s.io/v1beta1',
    mayBeLacking: true,
    kind: 'VolumePopulator',
    plural: 'volumepopulators',
    namespaced: false,
  },
  configMap: { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true },
} as const satisfies Record<string, Resource>;

type Kinds = typeof kinds;
type ShapeOf<Name> = Name extends keyof Shapes ? Shapes[Name] : ClusterObject;

export const resources: { readonly [Name in keyof Kinds]: Resource<ShapeOf<Name>> } = kinds;
