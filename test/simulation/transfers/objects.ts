import type {
  Claim,
  ConfigMap,
  Pod,
  ReferenceGrant,
  TransferApproval,
  TransferRequest,
  Volume,
} from '../../../lib/kubernetes/objects.ts';
import { groupOf, resources } from '../../../lib/kubernetes/resources.ts';

/** The namespaces of a run: the claim is in the first, wanted in the second, and in the third as well. */
export const place = { source: 'prod', target: 'stage', rival: 'test' };
export const system = 'longshore-system';
export const volumeName = 'pv-1';
/** That of a source which is made anew when the first one has been given away. */
export const remadeVolume = 'pv-3';
/** That of a stranger. */
export const strangeVolume = 'pv-4';

export const size = { storage: '1Gi' };
/** What an owner makes of it. */
export const larger = { storage: '2Gi' };
const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'manual' };

export function claimOf(namespace: string, name: string, annotations: Record<string, string> = {}): Claim {
  const { apiVersion, kind } = resources.claim;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, annotations },
    spec: { ...spec, resources: { requests: size } },
  };
}

export function volumeOf(
  name: string,
  claim: { namespace: string; name: string },
  policy: 'Delete' | 'Retain',
): Volume {
  const { apiVersion, kind } = resources.volume;
  const claimRef = { namespace: claim.namespace, name: claim.name };
  return {
    apiVersion,
    kind,
    metadata: { name },
    spec: { ...spec, capacity: size, claimRef, persistentVolumeReclaimPolicy: policy },
  };
}

export function requestOf(namespace: string, name: string, target: string): TransferRequest {
  const { apiVersion, kind } = resources.transferRequest;
  const source = { namespace: place.source, name: 'data', kind: resources.claim.kind };
  return {
    apiVersion,
    kind,
    metadata: { name, namespace },
    spec: { source, approvalName: `to-${namespace}`, targetName: target },
  };
}

/** For whichever claim has the name, or with a uid for one claim alone. */
export function approvalOf(targetNamespace: string, requestName: string, uid?: string): TransferApproval {
  const { apiVersion, kind } = resources.transferApproval;
  const source = { name: 'data', kind: resources.claim.kind, ...(uid ? { uid } : {}) };
  const metadata = { name: `to-${targetNamespace}`, namespace: place.source };
  return { apiVersion, kind, metadata, spec: { source, targetNamespace, requestName } };
}

/** Approves whatever the target's namespace asks for. */
export function grantOf(): ReferenceGrant {
  const { apiVersion, kind } = resources.referenceGrant;
  const from = [
    { group: groupOf(resources.transferRequest), kind: resources.transferRequest.kind, namespace: place.target },
  ];
  const to = [{ group: '', kind: resources.claim.kind }];
  return { apiVersion, kind, metadata: { namespace: place.source, name: 'all' }, spec: { from, to } };
}

export function settingsOf(data: Record<string, string>): ConfigMap {
  const { apiVersion, kind } = resources.configMap;
  return { apiVersion, kind, metadata: { namespace: system, name: 'longshore' }, data };
}

export function podOf(claimName: string): Pod {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName } }];
  const { apiVersion, kind } = resources.pod;
  return { apiVersion, kind, metadata: { name: 'user', namespace: place.source }, spec: { nodeName: 'node', volumes } };
}
