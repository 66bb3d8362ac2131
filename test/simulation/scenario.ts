import type {
  Claim,
  ClusterObject,
  Pod,
  TransferApproval,
  TransferRequest,
  Volume,
} from '../../lib/cluster/objects.ts';
import { resources } from '../../lib/cluster/resources.ts';
import type { FakeCluster } from './fake-cluster.ts';
import { nameOfObject } from './fake-cluster.ts';
import type { Random } from './random.ts';

/** What users and administrators do during a run. Each kind can be left out, which is how a failure is made smaller. */
export const userActions = [
  'withdraw request',
  'withdraw approval',
  'ask again',
  'approve again',
  'use source in pod',
  'end pod',
  'take target name',
  'free target name',
  'delete source',
  'make source anew',
  'delete target',
  'strip finalizers',
  'strip protection',
  'forbid claims',
  'allow claims',
  'compete',
] as const;
export type UserAction = (typeof userActions)[number];

const plenty = 1000;
const place = { source: 'prod', target: 'stage', rival: 'test' };

function claimOf(namespace: string, name: string, extra: Partial<Claim['spec']> = {}): Claim {
  const spec = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: 'manual',
  };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace },
    spec: { ...spec, ...extra },
  };
}

function requestOf(namespace: string, name: string, source: string, target: string): TransferRequest {
  return {
    apiVersion: resources.transferRequest.apiVersion,
    kind: resources.transferRequest.kind,
    metadata: { name, namespace },
    spec: {
      source: { namespace: place.source, name: source, kind: 'PersistentVolumeClaim' },
      approvalName: `to-${namespace}`,
      targetName: target,
    },
  };
}

function approvalOf(targetNamespace: string, requestName: string, source: string): TransferApproval {
  return {
    apiVersion: resources.transferApproval.apiVersion,
    kind: resources.transferApproval.kind,
    metadata: { name: `to-${targetNamespace}`, namespace: place.source },
    spec: { source: { name: source, kind: 'PersistentVolumeClaim' }, targetNamespace, requestName },
  };
}

/** A bound claim in one namespace, and the wish to have it in another. */
export class Scenario {
  readonly originalPolicy: 'Delete' | 'Retain';
  private readonly cluster: FakeCluster;
  private readonly random: Random;

  constructor(cluster: FakeCluster, random: Random) {
    this.cluster = cluster;
    this.random = random;
    this.originalPolicy = random.chance(0.7) ? 'Delete' : 'Retain';
    for (const namespace of Object.values(place)) cluster.claimQuota.set(namespace, plenty);
    const volume: Volume = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-1' },
      spec: {
        claimRef: { namespace: place.source, name: 'data' },
        persistentVolumeReclaimPolicy: this.originalPolicy,
      },
    };
    this.put(volume);
    this.put(claimOf(place.source, 'data'));
  }

  ask(): void {
    this.put(requestOf(place.target, 'move', 'data', 'moved'));
  }

  approve(): void {
    this.put(approvalOf(place.target, 'move', 'data'));
  }

  act(action: UserAction): void {
    this.acts[action]();
  }

  private readonly acts: Record<UserAction, () => void> = {
    'withdraw request': () => this.remove('StorageTransferRequest', place.target, 'move'),
    'withdraw approval': () => this.remove('StorageTransferApproval', place.source, `to-${place.target}`),
    'ask again': () => this.ask(),
    'approve again': () => this.approve(),
    'use source in pod': () => this.startPod(),
    'end pod': () => this.remove('Pod', place.source, 'user'),
    'take target name': () => this.put(claimOf(place.target, 'moved')),
    'free target name': () => this.freeTargetName(),
    'delete source': () => this.remove('PersistentVolumeClaim', place.source, 'data'),
    'make source anew': () => this.put(claimOf(place.source, 'data')),
    'delete target': () => this.remove('PersistentVolumeClaim', place.target, 'moved'),
    'strip finalizers': () => this.stripFinalizers(() => false),
    'strip protection': () => this.stripFinalizers((finalizer) => finalizer !== 'kubernetes.io/pvc-protection'),
    'forbid claims': () => this.cluster.claimQuota.set(place.target, 0),
    'allow claims': () => this.cluster.claimQuota.set(place.target, plenty),
    compete: () => {
      this.put(requestOf(place.rival, 'rival', 'data', 'won'));
      this.put(approvalOf(place.rival, 'rival', 'data'));
    },
  };

  /** Lifts what would keep a transfer waiting for ever, so that a run can be judged by its end. */
  liftObstacles(): void {
    this.cluster.claimQuota.set(place.target, plenty);
    this.remove('Pod', place.source, 'user');
    this.freeTargetName();
  }

  /** A user who is refused tries no further. */
  private put(object: ClusterObject): void {
    this.cluster.create(nameOfObject(object), object).catch(() => {});
  }

  private startPod(): void {
    const claim = this.cluster.read<Claim>({ resource: resources.claim, namespace: place.source, name: 'data' });
    // The scheduler starts no pod with a claim that is being deleted.
    if (!claim || claim.metadata.deletionTimestamp) return;
    const pod: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'user', namespace: place.source },
      spec: { nodeName: 'node', volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
    };
    this.put(pod);
  }

  private freeTargetName(): void {
    const claim = this.cluster.read<Claim>({ resource: resources.claim, namespace: place.target, name: 'moved' });
    if (claim && !claim.spec.volumeName) this.remove('PersistentVolumeClaim', place.target, 'moved');
  }

  /** The bluntest thing an impatient administrator does to a claim that will not go. */
  private stripFinalizers(keeps: (finalizer: string) => boolean): void {
    const claim = this.cluster.read<Claim>({ resource: resources.claim, namespace: place.source, name: 'data' });
    if (!claim?.metadata.deletionTimestamp) return;
    const finalizers = claim.metadata.finalizers?.filter(keeps) ?? [];
    this.cluster.update(nameOfObject(claim), { metadata: { finalizers } });
  }

  private remove(kind: string, namespace: string, name: string): void {
    const object = this.cluster.all(resourceNamed(kind), namespace).find(({ metadata }) => metadata.name === name);
    if (object) this.cluster.delete(nameOfObject(object)).catch(() => {});
  }

  pickActions(allowed: readonly UserAction[]): UserAction[] {
    const count = allowed.length === 0 ? 0 : this.random.below(4);
    return Array.from({ length: count }, () => this.random.pick(allowed));
  }
}

function resourceNamed(kind: string) {
  const found = Object.values(resources).find((resource) => resource.kind === kind);
  if (!found) throw new Error(`unknown kind ${kind}`);
  return found;
}
