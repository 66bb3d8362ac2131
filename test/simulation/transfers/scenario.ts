import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import type { Scenario } from '../capability.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import type { PendingCall } from '../gate.ts';
import type { Random } from '../random.ts';
import { FidgetyOwner } from './fidgety.ts';
import { HastyOwners } from './hasty.ts';
import { followAdvice } from './obedient.ts';
import { claimOf, grantOf, place, requestOf, system, volumeName, volumeOf } from './objects.ts';
import type { UserAction } from './user-actions.ts';
import { Users } from './users.ts';

/** How the claim is to be moved in a run; both at the same time is what careless users do. */
const kinds = [
  'by request',
  'by annotation',
  'by a template',
  'again and again',
  'by others',
  'both',
  'recreated',
] as const;

/** A mark that a claim has from a backup: nothing has been done for its volume. */
const copied = { 'pvc.kubernetes.io/transfer-status': 'pending' };

/** A bound claim in one namespace, and the wish to have it in another. */
export class TransferScenario implements Scenario {
  readonly originalPolicy: 'Delete' | 'Retain';
  /** A stranger has offered something to the claim before its owner does anything. */
  private readonly isNamed: boolean;
  private readonly kind: (typeof kinds)[number];
  private readonly random: Random;
  private readonly users: Users;
  private readonly cluster: FakeCluster;
  /** The quota of the target's namespace has no room, and never will. */
  readonly isRefused: boolean;
  readonly hasty: HastyOwners;
  private readonly fidgety: FidgetyOwner;

  constructor(cluster: FakeCluster, random: Random, beforeDeletion: (object: ClusterObject) => void) {
    this.random = random;
    this.cluster = cluster;
    this.users = new Users(cluster, random.chance(0.5));
    this.fidgety = new FidgetyOwner(cluster, this.users);
    this.hasty = new HastyOwners(cluster, this.users, beforeDeletion);
    this.originalPolicy = random.chance(0.7) ? 'Delete' : 'Retain';
    this.kind = random.pick(kinds);
    cluster.namespaces.add(...Object.values(place), system);
    this.users.create(volumeOf(volumeName, { namespace: place.source, name: 'data' }, this.originalPolicy));
    this.users.create(claimOf(place.source, 'data', random.chance(0.1) ? copied : {}));
    this.isNamed = random.chance(0.15);
    this.isRefused = random.chance(0.1);
    if (this.isNamed) this.users.offerUnasked();
  }

  get isOpen(): boolean {
    return this.kind !== 'by request';
  }

  get wasForced(): boolean {
    return this.users.haveForced;
  }

  get wasSwitched(): boolean {
    return this.users.haveSwitched;
  }

  /** What the two sides do to have the claim moved, each until some turn at the latest, and so in any order. */
  course(): [UserAction, number][] {
    const byRequest: [UserAction, number][] = [
      ['ask again', 40],
      [this.random.chance(0.8) ? 'approve again' : 'grant', 40],
    ];
    const byAnnotation: [UserAction, number][] = [
      ['offer', this.isNamed ? 150 : 30],
      ['accept', 120],
      // Its owner waits until the claim says that its volume is safe.
      ...(this.isNamed ? [] : [['delete source', 160] satisfies [UserAction, number]]),
    ];
    // The same claim is made again and again, offered to the same name, and its owner does what it says.
    const byTemplate: [UserAction, number][] = [
      ['offer', 8],
      ['accept', 16],
      ['delete source', 60],
      ...[90, 120, 150].map((latest): [UserAction, number] => ['remake source as before', latest]),
      ...[180, 210, 220].map((latest): [UserAction, number] => ['follow advice', latest]),
    ];
    // Whoever got a claim wants the next one of its name as well, by what was agreed to for the first.
    const againAndAgain: [UserAction, number][] = [
      ['ask again', 10],
      ['approve again', 10],
      ['hold request', 40],
      ...Array.from({ length: 12 }, (): [UserAction, number] => ['withdraw what has come', 160]),
      ...[170, 180, 190].flatMap((latest): [UserAction, number][] => [
        ['let request go', latest],
        ['remake source unoffered', latest],
        ['ask for more', latest],
      ]),
    ];
    // Whoever has the name of the target's namespace by now asks for what was granted to those before.
    const byOthers: [UserAction, number][] = [
      ['grant', 3],
      ['delete target namespace', 6],
      ...[30, 40, 50].flatMap((latest): [UserAction, number][] => [
        ['make target namespace anew', latest],
        ['ask again', 2 * latest],
      ]),
      ...[120, 160, 190, 210].map((latest): [UserAction, number] => ['relabel grant', latest]),
    ];
    // The claim that was approved is given up, and another one has its name before anybody asks for it.
    const recreated: [UserAction, number][] = [
      ['approve again', 8],
      ['delete source', 20],
      ...[40, 50, 60].map((latest): [UserAction, number] => ['remake source unoffered', latest]),
      ['ask again', 90],
    ];
    if (this.kind === 'recreated') return recreated;
    if (this.isRefused) return [...byRequest, ['forbid claims', 20]];
    if (this.kind === 'by others') return byOthers;
    if (this.kind === 'again and again') return againAndAgain;
    if (this.kind === 'both') return [...byRequest, ['offer', 40], ['accept', 40]];
    if (this.kind === 'by a template') return byTemplate;
    return this.kind === 'by request' ? byRequest : byAnnotation;
  }

  obey(): void {
    if (this.kind === 'by a template') followAdvice(this.cluster, this.users);
  }

  act(action: UserAction): void {
    this.acts[action](this.users);
  }

  holdUp(call: PendingCall, random: Random): number {
    this.fidgety.anticipate(call);
    return this.hasty.holdUp(call, random);
  }

  get isStubborn(): boolean {
    return this.fidgety.isAtIt;
  }

  checkMeanwhile(): void {
    this.fidgety.check();
  }

  private readonly acts: Record<UserAction, (users: Users) => void> = {
    'withdraw request': (users) => users.delete(resources.transferRequest, place.target, 'move'),
    'withdraw approval': (users) => users.delete(resources.transferApproval, place.source, `to-${place.target}`),
    'ask again': (users) => users.create(requestOf(place.target, 'move', 'moved')),
    'ask for more': (users) => users.create(requestOf(place.target, 'move', 'more')),
    'hold request': (users) => users.hold(resources.transferRequest, place.target, 'move'),
    'withdraw what has come': (users) => users.withdrawArrived(),
    'let request go': (users) => users.letGo(resources.transferRequest, place.target, 'move'),
    'approve again': (users) => users.approve(place.target, 'move'),
    grant: (users) => users.create(grantOf()),
    'revoke grant': (users) => users.delete(resources.referenceGrant, place.source, 'all'),
    'relabel grant': (users) => users.relabelGrant(),
    'use source in pod': (users) => users.startPod(),
    'end pod': (users) => users.delete(resources.pod, place.source, 'user'),
    'take target name': (users) => users.create(claimOf(place.target, 'moved')),
    'free target name': (users) => users.freeName(place.target, 'moved'),
    'delete source': (users) => users.delete(resources.claim, place.source, 'data'),
    'make source anew': (users) => users.create(claimOf(place.source, 'data')),
    'delete target': (users) => users.delete(resources.claim, place.target, 'moved'),
    'strip finalizers': (users) => users.stripFinalizers(() => false),
    'strip protection': (users) => users.stripFinalizers((finalizer) => finalizer !== 'kubernetes.io/pvc-protection'),
    'forbid claims': (users) => users.limitClaims(0),
    'allow claims': (users) => users.limitClaims(undefined),
    compete: (users) => {
      users.create(requestOf(place.rival, 'rival', 'won'));
      users.approve(place.rival, 'rival');
    },
    offer: (users) => users.annotate(place.source, 'data', { transferRequest: 'stage/moved' }),
    'take offer back': (users) => users.annotate(place.source, 'data', { transferRequest: null }),
    'offer elsewhere': (users) => users.annotate(place.source, 'data', { transferRequest: 'test/won' }),
    accept: (users) => users.accept(place.target, 'moved'),
    'accept with less': (users) => users.accept(place.target, 'moved', '1'),
    'grow source': (users) => users.growSource(),
    'remake source as before': (users) => users.remakeSource(),
    'remake source unoffered': (users) => users.remakeUnoffered(),
    'offer to source unasked': (users) => users.offerUnasked(),
    'follow advice': (users) => followAdvice(this.cluster, users),
    'accept elsewhere': (users) => users.accept(place.rival, 'won'),
    'take acceptance back': (users) => users.annotate(place.target, 'moved', { transferAccept: null }),
    'provision target': (users) => users.provisionTarget(),
    'hold source': (users) => users.hold(resources.claim, place.source, 'data'),
    'let source go': (users) => users.letGo(resources.claim, place.source, 'data'),
    'delete target namespace': (users) => users.deleteNamespace(place.target),
    'make target namespace anew': (users) => users.makeNamespaceAnew(place.target),
    'delete source namespace': (users) => users.deleteNamespace(place.source),
    'make source namespace anew': (users) => users.makeNamespaceAnew(place.source),
    'confirm approval': (users) => users.confirmApproval(),
    'take volume back': (users) => users.takeVolumeBack(),
    'offer in haste': () => this.hasty.begin('offers'),
    'approve in haste': (users) => {
      users.create(requestOf(place.target, 'move', 'moved'));
      this.hasty.begin('approves');
    },
    fidget: () => {
      this.fidgety.isAtIt = true;
    },
    'switch requests': (users) => users.flip('transfers-by-request'),
    'switch annotations': (users) => users.flip('transfers-by-annotation'),
  };

  liftObstacles(): void {
    this.hasty.end();
    this.fidgety.isAtIt = false;
    this.users.wantNamespaces();
    this.users.letGo(resources.claim, place.source, 'data');
    this.users.letGo(resources.transferRequest, place.target, 'move');
    this.users.limitClaims(this.isRefused ? 0 : undefined);
    this.users.delete(resources.pod, place.source, 'user');
    this.users.delete(resources.configMap, system, 'longshore');
    this.users.freeName(place.target, 'moved');
    this.users.freeName(place.rival, 'won');
  }
}
