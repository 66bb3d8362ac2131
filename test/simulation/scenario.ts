import type { Claim, ClusterObject, ConfigMap, Volume } from '../../lib/cluster/objects.ts';
import { nameOf, type ObjectName, type Resource, resources } from '../../lib/cluster/resources.ts';
import { fenceOf } from '../../lib/transfers/by-request/claim-marks.ts';
import { recordOf } from '../../lib/transfers/by-request/volume-marks.ts';
import type { FakeCluster } from './fake-cluster.ts';
import { nameOfObject } from './fake-cluster.ts';
import {
  approvalOf,
  claimOf,
  grantOf,
  place,
  podOf,
  requestOf,
  settingsOf,
  system,
  volumeName,
  volumeOf,
} from './objects.ts';
import type { Random } from './random.ts';

/** What users and administrators do during a run. Each kind can be left out, which is how a failure is made smaller. */
export const userActions = [
  'withdraw request',
  'withdraw approval',
  'ask again',
  'approve again',
  'grant',
  'revoke grant',
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
  'offer',
  'take offer back',
  'offer elsewhere',
  'accept',
  'accept elsewhere',
  'take acceptance back',
  'provision target',
  'switch requests',
  'switch annotations',
] as const;
export type UserAction = (typeof userActions)[number];

/** How the claim is to be moved in a run; both at the same time is what careless users do. */
export const kinds = ['by request', 'by annotation', 'both'] as const;

const plenty = 1000;
const source = nameOf(resources.claim, place.source, 'data');
const target = nameOf(resources.claim, place.target, 'moved');
const rivalTarget = nameOf(resources.claim, place.rival, 'won');

/** A bound claim in one namespace, and the wish to have it in another. */
export class Scenario {
  readonly originalPolicy: 'Delete' | 'Retain';
  readonly kind: (typeof kinds)[number];
  /** Somebody has used force: then even a right sequence may have to stop. */
  wasForced = false;
  private readonly cluster: FakeCluster;
  private readonly random: Random;

  constructor(cluster: FakeCluster, random: Random) {
    this.cluster = cluster;
    this.random = random;
    this.originalPolicy = random.chance(0.7) ? 'Delete' : 'Retain';
    this.kind = random.pick(kinds);
    for (const namespace of [...Object.values(place), system]) cluster.claimQuota.set(namespace, plenty);
    this.put(volumeOf(volumeName, { namespace: place.source, name: 'data' }, this.originalPolicy));
    this.put(claimOf(place.source, 'data'));
  }

  /** What the two sides do to have the claim moved, each until some turn at the latest, and so in any order. */
  course(): [UserAction, number][] {
    const byRequest: [UserAction, number][] = [
      ['ask again', 40],
      [this.random.chance(0.8) ? 'approve again' : 'grant', 40],
    ];
    const byAnnotation: [UserAction, number][] = [
      ['offer', 30],
      ['accept', 120],
      ['delete source', 160],
    ];
    if (this.kind === 'both') return [...byRequest, ['offer', 40], ['accept', 40]];
    return this.kind === 'by request' ? byRequest : byAnnotation;
  }

  act(action: UserAction): void {
    this.acts[action]();
  }

  private readonly acts: Record<UserAction, () => void> = {
    'withdraw request': () => this.remove(resources.transferRequest, place.target, 'move'),
    'withdraw approval': () => this.remove(resources.transferApproval, place.source, `to-${place.target}`),
    'ask again': () => this.put(requestOf(place.target, 'move', 'moved')),
    'approve again': () => this.put(approvalOf(place.target, 'move')),
    grant: () => this.put(grantOf()),
    'revoke grant': () => this.remove(resources.referenceGrant, place.source, 'all'),
    'use source in pod': () => this.startPod(),
    'end pod': () => this.remove(resources.pod, place.source, 'user'),
    'take target name': () => this.put(claimOf(place.target, 'moved')),
    'free target name': () => this.freeName(target),
    'delete source': () => this.remove(resources.claim, place.source, 'data'),
    'make source anew': () => this.put(claimOf(place.source, 'data')),
    'delete target': () => this.remove(resources.claim, place.target, 'moved'),
    'strip finalizers': () => this.stripFinalizers(() => false),
    'strip protection': () => this.stripFinalizers((finalizer) => finalizer !== 'kubernetes.io/pvc-protection'),
    'forbid claims': () => this.cluster.claimQuota.set(place.target, 0),
    'allow claims': () => this.cluster.claimQuota.set(place.target, plenty),
    compete: () => {
      this.put(requestOf(place.rival, 'rival', 'won'));
      this.put(approvalOf(place.rival, 'rival'));
    },
    offer: () => this.annotate('data', place.source, { transferRequest: 'stage/moved' }),
    'take offer back': () => this.annotate('data', place.source, { transferRequest: null }),
    'offer elsewhere': () => this.annotate('data', place.source, { transferRequest: 'test/won' }),
    accept: () => this.accept(place.target, 'moved'),
    'accept elsewhere': () => this.accept(place.rival, 'won'),
    'take acceptance back': () => this.annotate('moved', place.target, { transferAccept: null }),
    'provision target': () => this.provisionTarget(),
    'switch requests': () => this.flip('transfers-by-request'),
    'switch annotations': () => this.flip('transfers-by-annotation'),
  };

  /** Lifts what would keep a transfer waiting for ever, so that a run can be judged by its end. */
  liftObstacles(): void {
    this.cluster.claimQuota.set(place.target, plenty);
    this.remove(resources.pod, place.source, 'user');
    this.remove(resources.configMap, system, 'longshore');
    this.freeName(target);
    this.freeName(rivalTarget);
  }

  pickActions(allowed: readonly UserAction[]): UserAction[] {
    const count = allowed.length === 0 ? 0 : this.random.below(4);
    return Array.from({ length: count }, () => this.random.pick(allowed));
  }

  /** A user who is refused tries no further. */
  private put(object: ClusterObject): void {
    this.cluster.create(nameOfObject(object), object).catch(() => {});
  }

  /** A claim that is there already is told that it accepts. */
  private accept(namespace: string, name: string): void {
    const annotations = { transferAccept: `${place.source}/data` };
    if (this.cluster.read(nameOf(resources.claim, namespace, name))) this.annotate(name, namespace, annotations);
    else this.put(claimOf(namespace, name, annotations));
  }

  private annotate(name: string, namespace: string, annotations: Record<string, string | null>): void {
    const claim = this.cluster.read<Claim>(nameOf(resources.claim, namespace, name));
    if (claim) this.cluster.update(nameOfObject(claim), { metadata: { annotations } });
  }

  private startPod(): void {
    const claim = this.cluster.read<Claim>(source);
    // The scheduler starts no pod with a claim that is being deleted.
    if (claim && !claim.metadata.deletionTimestamp) this.put(podOf('data'));
  }

  /** What a provisioner does where nothing holds the accepting claim back. */
  private provisionTarget(): void {
    const claim = this.cluster.read<Claim>(target);
    if (!claim || claim.spec.volumeName || claim.status?.phase === 'Bound') return;
    this.put(volumeOf('pv-2', { namespace: place.target, name: 'moved' }, 'Delete'));
    this.cluster.update(target, { spec: { volumeName: 'pv-2' } });
  }

  /** The target's name is free for the transfer: no claim has it that has, or waits for, another volume. */
  private freeName(name: ObjectName): void {
    const claim = this.cluster.read<Claim>(name);
    if (!claim || claim.spec.volumeName === volumeName) return;
    const isWaiting = claim.spec.volumeName === undefined && claim.metadata.annotations?.transferAccept !== undefined;
    if (!isWaiting || this.isHeldByRequest()) this.remove(resources.claim, name.namespace ?? '', name.name);
  }

  /** A transfer by request can only go on when its target's name is free. */
  private isHeldByRequest(): boolean {
    const claim = this.cluster.read<Claim>(source);
    const isLeaving = claim?.metadata.deletionTimestamp !== undefined && fenceOf(claim) !== undefined;
    return (
      isLeaving || recordOf(this.cluster.read<Volume>(nameOf(resources.volume, undefined, volumeName))) !== undefined
    );
  }

  private flip(key: string): void {
    const found = this.cluster.read<ConfigMap>(nameOf(resources.configMap, system, 'longshore'));
    if (!found) this.put(settingsOf({ [key]: 'off' }));
    else this.cluster.update(nameOfObject(found), { data: { [key]: found.data?.[key] === 'off' ? 'on' : 'off' } });
  }

  /** The bluntest thing an impatient administrator does to a claim that will not go. */
  private stripFinalizers(keeps: (finalizer: string) => boolean): void {
    const claim = this.cluster.read<Claim>(source);
    if (!claim?.metadata.deletionTimestamp) return;
    this.wasForced = true;
    const finalizers = claim.metadata.finalizers?.filter(keeps) ?? [];
    this.cluster.update(nameOfObject(claim), { metadata: { finalizers } });
  }

  private remove(resource: Resource, namespace: string, name: string): void {
    const object = this.cluster.all(resource, namespace).find(({ metadata }) => metadata.name === name);
    if (object) this.cluster.delete(nameOfObject(object)).catch(() => {});
  }
}
