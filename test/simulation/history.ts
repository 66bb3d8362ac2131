import type { Cluster } from '../../lib/cluster/cluster.ts';
import { isClusterError } from '../../lib/cluster/errors.ts';
import type { Claim, ClusterObject, Volume } from '../../lib/cluster/objects.ts';

/** Where a history runs: on the fake cluster or on a real one. */
export interface Stage {
  cluster: Cluster;
  namespace: string;
  /** Answers what is seen, as the step at this position, once the controllers have done what they do. */
  settled: (see: () => Promise<string>, position: number) => Promise<string>;
}

export interface History {
  name: string;
  /** What was seen, step by step. */
  run: (stage: Stage) => Promise<string[]>;
}

export async function present(cluster: Cluster, name: Parameters<Cluster['get']>[0]): Promise<ClusterObject> {
  const found = await cluster.get(name);
  if (!found) throw new Error(`${name.name} is not there`);
  return found;
}

export async function outcome(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'ok';
  } catch (error) {
    if (isClusterError(error)) return error.class;
    throw error;
  }
}

/** What matters of an object and does not differ from run to run. */
export function describe(object: Claim | Volume | undefined): string {
  if (!object) return 'gone';
  const { name, finalizers, deletionTimestamp } = object.metadata;
  const ofVolume = 'claimRef' in object.spec || object.kind === 'PersistentVolume';
  const binding = ofVolume ? (object as Volume).spec.claimRef?.name : (object as Claim).spec.volumeName;
  const kept = finalizers?.filter((finalizer) => finalizer !== 'kubernetes.io/pv-protection').sort();
  return `${name.replace(/.*-volume$/, 'volume')} ${object.status?.phase} -> ${binding?.replace(/.*-volume$/, 'volume')} [${kept ?? ''}]${deletionTimestamp ? ' deleted' : ''}`;
}

export function annotated(annotation: string, value: string | null): object {
  return { metadata: { annotations: { [annotation]: value } } };
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
