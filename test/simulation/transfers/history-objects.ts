import type { Claim, Volume } from '../../../lib/kubernetes/objects.ts';

/** What matters of an object and does not differ from run to run. */
export function describe(object: Claim | Volume | undefined): string {
  if (!object) return 'gone';
  const { name, finalizers, deletionTimestamp } = object.metadata;
  const ofVolume = 'claimRef' in object.spec || object.kind === 'PersistentVolume';
  const binding = ofVolume ? (object as Volume).spec.claimRef?.name : (object as Claim).spec.volumeName;
  const kept = finalizers?.filter((finalizer) => finalizer !== 'kubernetes.io/pv-protection').sort();
  return `${name.replace(/.*-volume$/, 'volume')} ${object.status?.phase} -> ${binding?.replace(/.*-volume$/, 'volume')} [${kept ?? ''}]${deletionTimestamp ? ' deleted' : ''}`;
}

export function claim(namespace: string, name: string, finalizers: string[] = [], volumeName?: string): Claim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { namespace, name, finalizers },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName: namespace,
      ...(volumeName ? { volumeName } : {}),
    },
  };
}

export function volume(name: string, namespace: string, claimName: string): Volume & { spec: Record<string, unknown> } {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: namespace,
      persistentVolumeReclaimPolicy: 'Retain',
      hostPath: { path: '/tmp/never-used' },
      claimRef: { namespace, name: claimName },
    },
  };
}
