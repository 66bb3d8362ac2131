import type { Settings, Switch } from '../../lib/capabilities/settings.ts';
import type {
  Claim,
  ClaimSpec,
  ConfigMap,
  Namespace,
  ObjectMeta,
  Pod,
  ReferenceGrant,
  TransferApproval,
  TransferRequest,
  TransferStatus,
  Volume,
} from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { reported } from './ready.ts';

/** What a test wants to be different from the builder's defaults; the fields of each part are laid over them. */
interface Overrides<Spec, Status> {
  metadata?: Partial<ObjectMeta>;
  spec?: Partial<Spec>;
  status?: Status;
}

export const protection = 'kubernetes.io/pvc-protection';

/** When those agreed who agree, in namespaces that had been there for a while. */
const creationTimestamp = '2026-02-01T00:00:00Z';

/** A namespace, the uid of which is made of its name. */
export function namespace(name: string, metadata: Partial<ObjectMeta> = {}): Namespace {
  const { apiVersion, kind } = resources.namespace;
  return {
    apiVersion,
    kind,
    metadata: { name, uid: `uid-${name}`, creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
  };
}

/** The bound claim prod/data. */
export function claim(overrides: Overrides<ClaimSpec, NonNullable<Claim['status']>> = {}): Claim {
  return {
    apiVersion: resources.claim.apiVersion,
    kind: resources.claim.kind,
    metadata: meta({ namespace: 'prod', name: 'data', uid: 'uid-source', finalizers: [protection] }, overrides),
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName: 'fast',
      volumeName: 'volume-1',
      ...overrides.spec,
    },
    status: { phase: 'Bound', ...overrides.status },
  };
}

/** The volume that belongs to prod/data and is deleted with it. */
export function volume(overrides: Overrides<Volume['spec'], NonNullable<Volume['status']>> = {}): Volume {
  return {
    apiVersion: resources.volume.apiVersion,
    kind: resources.volume.kind,
    metadata: meta({ name: 'volume-1', uid: 'uid-volume' }, overrides),
    spec: {
      claimRef: referenceTo(claim()),
      persistentVolumeReclaimPolicy: 'Delete',
      storageClassName: 'fast',
      capacity: { storage: '1Gi' },
      ...overrides.spec,
    },
    status: { phase: 'Bound', ...overrides.status },
  };
}

export function referenceTo({ apiVersion, kind, metadata }: Claim): NonNullable<Volume['spec']['claimRef']> {
  const { namespace = '', name, uid = '' } = metadata;
  return { apiVersion, kind, namespace, name, uid };
}

/** The request stage/move for prod/data as stage/copy. */
export function request(overrides: Overrides<TransferRequest['spec'], TransferStatus> = {}): TransferRequest {
  const { status } = overrides;
  return reported({
    apiVersion: resources.transferRequest.apiVersion,
    kind: resources.transferRequest.kind,
    metadata: meta(
      { namespace: 'stage', name: 'move', uid: 'uid-request', generation: 1, creationTimestamp },
      overrides,
    ),
    spec: {
      source: { namespace: 'prod', name: 'data', kind: 'PersistentVolumeClaim' },
      approvalName: 'allow',
      targetName: 'copy',
      ...overrides.spec,
    },
    ...(status ? { status } : {}),
  });
}

/** The approval prod/allow of stage/move. */
export function approval(overrides: Overrides<TransferApproval['spec'], TransferStatus> = {}): TransferApproval {
  const { status } = overrides;
  return reported({
    apiVersion: resources.transferApproval.apiVersion,
    kind: resources.transferApproval.kind,
    metadata: meta(
      { namespace: 'prod', name: 'allow', uid: 'uid-approval', generation: 1, creationTimestamp },
      overrides,
    ),
    spec: {
      source: { name: 'data', kind: 'PersistentVolumeClaim' },
      targetNamespace: 'stage',
      requestName: 'move',
      ...overrides.spec,
    },
    ...(status ? { status } : {}),
  });
}

/** The running pod prod/app that uses prod/data. */
export function pod(overrides: Overrides<NonNullable<Pod['spec']>, NonNullable<Pod['status']>> = {}): Pod {
  return {
    apiVersion: resources.pod.apiVersion,
    kind: resources.pod.kind,
    metadata: meta({ namespace: 'prod', name: 'app', uid: 'uid-pod' }, overrides),
    spec: {
      nodeName: 'node',
      volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: 'data' } }],
      ...overrides.spec,
    },
    status: { phase: 'Running', ...overrides.status },
  };
}

/** The grant prod/grant: requests in stage may have the claim prod/data. */
export function grant(overrides: Overrides<ReferenceGrant['spec'], never> = {}): ReferenceGrant {
  return {
    apiVersion: resources.referenceGrant.apiVersion,
    kind: resources.referenceGrant.kind,
    metadata: meta({ namespace: 'prod', name: 'grant', uid: 'uid-grant', creationTimestamp }, overrides),
    spec: {
      from: [{ group: 'transfer.storage.k8s.io', kind: 'StorageTransferRequest', namespace: 'stage' }],
      to: [{ group: '', kind: 'PersistentVolumeClaim', name: 'data' }],
      ...overrides.spec,
    },
  };
}

/** What an administrator set in longshore-system/longshore; everything is on unless it says otherwise. */
export function configMap(data?: Record<string, string>): ConfigMap {
  const { apiVersion, kind } = resources.configMap;
  const metadata = meta({ namespace: 'longshore-system', name: 'longshore', uid: 'uid-settings' }, {});
  return { apiVersion, kind, metadata, ...(data ? { data } : {}) };
}

const off: Switch = { isOn: false, reason: 'it is off' };

/** The settings as they are read, with these off. */
export function settings(...switchedOff: (keyof Settings)[]): Settings {
  const all: Settings = {
    transfersByRequest: { isOn: true },
    transfersByAnnotation: { isOn: true },
    buckets: { isOn: true },
    snapshots: { isOn: true },
    dataPopulated: { isOn: true },
    smallerRequests: {
      isOn: false,
      reason:
        'accept-with-smaller-requests is off in ConfigMap longshore-system/longshore: an administrator of the cluster can turn it on',
    },
  };
  return { ...all, ...Object.fromEntries(switchedOff.map((name) => [name, off])) };
}

function meta(defaults: ObjectMeta, { metadata }: { metadata?: Partial<ObjectMeta> }): ObjectMeta {
  return { resourceVersion: '1', ...defaults, ...metadata };
}
