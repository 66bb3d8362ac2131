import type { Claim, ReclaimPolicy, TransferApproval, TransferRequest, Volume } from '../../lib/kubernetes/objects.ts';
import type { Place } from '../../lib/kubernetes/places.ts';
import { resources } from '../../lib/kubernetes/resources.ts';

/** The objects that users write, built from the few fields that differ. */

const accessModes = ['ReadWriteOnce'];
const size = '1Gi';

export function storageClass(name: string) {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'Immediate',
  };
}

export interface VolumeParts {
  readonly name: string;
  readonly className: string;
  readonly path: string;
  /** The claim that it is created for. */
  readonly claim: Place;
  readonly policy?: ReclaimPolicy;
}

export function volume({ name, className, path, claim: { namespace, name: claimName }, policy }: VolumeParts) {
  const made: Volume & { spec: Record<string, unknown> } = {
    apiVersion: resources.volume.apiVersion,
    kind: resources.volume.kind,
    metadata: { name },
    spec: {
      capacity: { storage: size },
      accessModes,
      storageClassName: className,
      persistentVolumeReclaimPolicy: policy ?? 'Delete',
      hostPath: { path },
      claimRef: { apiVersion: 'v1', kind: resources.claim.kind, namespace, name: claimName },
    },
  };
  return made;
}

export function claim({ namespace, name }: Place, className: string): Claim {
  return {
    apiVersion: resources.claim.apiVersion,
    kind: resources.claim.kind,
    metadata: { namespace, name },
    spec: { accessModes, resources: { requests: { storage: size } }, storageClassName: className },
  };
}

/** A claim that accepts a transfer, as users write it where no policy holds it. */
export function heldByHand(accepting: Claim): Claim {
  const dataSourceRef = { apiGroup: 'longshore.dev', kind: 'Transfer', name: 'accepted' };
  const selector = { matchLabels: { 'longshore.dev/volume': 'transferred' } };
  return { ...accepting, spec: { ...accepting.spec, dataSourceRef, ...{ selector } } };
}

export interface TransferParts {
  /** The name of both the request and the approval. */
  readonly name: string;
  readonly source: Place;
  readonly target: Place;
}

export function transferRequest({ name, source, target }: TransferParts): TransferRequest {
  const { apiVersion, kind } = resources.transferRequest;
  const metadata = { namespace: target.namespace, name };
  const spec = { source: { kind: resources.claim.kind, ...source }, approvalName: name, targetName: target.name };
  return { apiVersion, kind, metadata, spec };
}

export function transferApproval({ name, source, target }: TransferParts): TransferApproval {
  const { apiVersion, kind } = resources.transferApproval;
  const metadata = { namespace: source.namespace, name };
  const spec = {
    source: { kind: resources.claim.kind, name: source.name },
    targetNamespace: target.namespace,
    requestName: name,
  };
  return { apiVersion, kind, metadata, spec };
}
