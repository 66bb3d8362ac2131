import { finalizer, isCopy } from '../../../lib/capabilities/data-sources/names.ts';
import type { VolumeSnapshot } from '../../../lib/capabilities/data-sources/objects.ts';
import { populatedConditionOf } from '../../../lib/capabilities/data-sources/populated.ts';
import { isOurs, sourceOf } from '../../../lib/capabilities/data-sources/reference.ts';
import type { Claim, ClusterObject, Volume } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import { type Invariants, Violation } from '../capability.ts';
import { type ClusterChange, type FakeCluster, nameOfObject } from '../fake-cluster.ts';
import type { PendingCall } from '../gate.ts';
import { HandOvers } from './hand-overs.ts';
import type { Holdings } from './holdings.ts';
import { pathOf, place } from './objects.ts';
import { checkReach } from './reach.ts';
import type { DataSourceScenario } from './scenario.ts';
import type { Users } from './users.ts';
import { Wishes } from './wishes.ts';

/** What may be told of a snapshot only to those who have a grant. */
const tellingReasons = [
  'SnapshotMissing',
  'SnapshotNotReady',
  'SnapshotNotBound',
  'OtherDriver',
  'ClaimTooSmall',
  'OtherVolumeMode',
  'CopyNotReady',
  'Populating',
  'ProvisioningFailed',
  'SourceNamespaceReplaced',
];
/** What is told when nobody may go on with what was begun. */
const endingReasons = ['NotGranted', 'LinkMissing', 'SnapshotMissing', 'SourceNamespaceReplaced'];
/** A worker tells of what it read when it began, and ends before long. */
const maxWorkMs = 60_000;

/** What must hold after every write, whoever made it. */
export class DataSourceInvariants implements Invariants {
  private readonly cluster: FakeCluster;
  private readonly holdings: Holdings;
  private readonly users: Users;
  readonly wishes: Wishes;
  private readonly handOvers: HandOvers;
  /** Until when each claim was held by us, by uid. */
  private readonly held = new Map<string, number>();
  /** The write of ours that is taking effect. */
  private ours: PendingCall | undefined;

  constructor(cluster: FakeCluster, holdings: Holdings, { users, manner }: DataSourceScenario) {
    this.cluster = cluster;
    this.holdings = holdings;
    this.users = users;
    this.wishes = new Wishes(cluster, manner);
    this.handOvers = new HandOvers(cluster, holdings, this.wishes);
    for (const snapshot of cluster.all(resources.snapshot)) holdings.note(snapshot);
    this.wishes.note();
  }

  beforeWrite(call: PendingCall): void {
    this.ours = call;
  }

  afterWrite(): void {
    this.ours = undefined;
  }

  beforeUserAction(): void {}

  afterChange(change: ClusterChange): void {
    const { type, resource, object } = change;
    if (Wishes.kinds.includes(resource) && (type !== 'MODIFIED' || resource !== resources.claim)) this.wishes.note();
    if (resource === resources.snapshot) this.holdings.note(object as VolumeSnapshot);
    if (resource === resources.claim) this.noteHold(object as Claim);
    if (resource === resources.claim && type === 'MODIFIED') this.users.beginToUse(object as Claim);
    if (this.ours) this.checkOurs(change, this.ours);
    if (resource === resources.snapshotContent) this.checkSnapshots();
    if (type === 'DELETED') this.checkLoss(object);
    else if (resource === resources.volume) this.handOvers.noteVolume(object as Volume);
    else if (resource === resources.claim && !isCopy(object)) this.checkClaim(object as Claim);
  }

  private checkOurs(change: ClusterChange, call: PendingCall): void {
    const { resource, object } = change;
    const before = change.type === 'MODIFIED' ? this.cluster.readStale(nameOfObject(object)) : undefined;
    checkReach(change, before, call);
    if (change.type === 'ADDED' && isCopy(object)) this.checkHeld(object, call);
    if (resource === resources.volume) this.handOvers.check(before as Volume, object as Volume, call);
    if (resource === resources.claim && !isCopy(object)) this.checkTold(before as Claim, object as Claim, call);
  }

  private noteHold({ metadata: { uid = '', finalizers = [] } }: Claim): void {
    if (finalizers.includes(finalizer)) this.held.set(uid, Number.POSITIVE_INFINITY);
    else if (this.held.get(uid) === Number.POSITIVE_INFINITY) this.held.set(uid, this.cluster.now().getTime());
  }

  /** Whoever makes something for a claim has made sure that the claim's end is seen. */
  private checkHeld(copy: ClusterObject, { issuedAt }: PendingCall): void {
    const until = this.held.get(copy.metadata.name.replace('populate-', '')) ?? 0;
    if (until < issuedAt - maxWorkMs) throw new Violation(`${pathOf(copy)} is made for a claim that is not held`);
  }

  /** Whoever has no grant does not learn whether there is such a snapshot. */
  private checkTold(before: Claim | undefined, claim: Claim, { issuedAt, startedAt }: PendingCall): void {
    const { reason = '', message } = populatedConditionOf(claim) ?? {};
    // What was told before is not told again by a write on something else.
    if (!before || populatedConditionOf(before)?.message === message) return;
    if (endingReasons.includes(reason)) this.checkUndone(claim, startedAt);
    if (!isOurs(sourceOf(claim)) || !tellingReasons.includes(reason)) return;
    const isGranted = this.wishes.wasAnyGranted(claim.metadata.uid ?? '', issuedAt - maxWorkMs);
    if (!isGranted) throw new Violation(`a claim without a grant is told ${reason}`);
  }

  /**
   * Whoever may change the claim can keep it from being told for as long as they like, so what nobody may go on with is removed
   * first. What was made while the worker was at work it may not have seen.
   */
  private checkUndone({ metadata }: Claim, startedAt: number): void {
    const name = `populate-${metadata.uid}`;
    const kinds: Resource[] = [resources.claim, resources.snapshot, resources.snapshotContent];
    const copies = kinds.map((kind) =>
      this.cluster.read(nameOf(kind, kind.namespaced ? place.system : undefined, name)),
    );
    for (const copy of copies) {
      if (!copy || copy.metadata.deletionTimestamp) continue;
      if (Date.parse(copy.metadata.creationTimestamp ?? '') >= startedAt - 1_000) continue;
      throw new Violation(`${pathOf(copy)} is kept while its claim is told that it ends`);
    }
  }

  /** The source loses nothing but what its users give up. */
  private checkSnapshots(): void {
    for (const { uid, name } of this.holdings.taken.values()) {
      if (!this.users.givenUp.has(uid) && !this.holdings.isOnDisk(uid)) {
        throw new Violation(`the data of snapshot ${name} is lost`);
      }
    }
  }

  private checkLoss(object: ClusterObject): void {
    const { kind, metadata } = object;
    const isSnapshot = kind === resources.snapshot.kind && metadata.namespace === place.source;
    if (isSnapshot && !this.users.givenUp.has(metadata.uid ?? '')) throw new Violation(`${pathOf(object)} is gone`);
    if (kind !== resources.volume.kind) return;
    const { claimRef } = (object as Volume).spec;
    this.checkGivenUp(object as Volume);
    const isFree = this.users.freeVolumes.has(metadata.name);
    if (isFree && (!claimRef || claimRef.namespace === place.system)) {
      throw new Violation('a volume that lay about is deleted with what is in it');
    }
  }

  /** What is in a volume goes when the owner of its claim wants it to, and not when they do what they were told. */
  private checkGivenUp({ metadata, spec }: Volume): void {
    const isOfWorth = this.users.written.has(metadata.name) || this.users.freeVolumes.has(metadata.name);
    const { namespace, uid = '' } = spec.claimRef ?? {};
    if (!isOfWorth || !uid || namespace === place.system || this.users.givenUp.has(uid)) return;
    // The volume controller itself deletes one that it had begun to bind to a claim which has got another one since.
    const claim = this.cluster.read(nameOf(resources.claim, namespace, spec.claimRef?.name ?? ''));
    const isBoundElsewhere = claim?.metadata.uid === uid && claim.spec.volumeName !== metadata.name;
    if (isBoundElsewhere && !this.users.written.has(metadata.name)) return;
    throw new Violation(`what is in volume ${metadata.name} is lost, and nobody meant to lose it`);
  }

  /** A claim that says that its data is there has it; and no claim has a volume that nobody meant it to have. */
  private checkClaim(claim: Claim): void {
    const source = sourceOf(claim);
    const { volumeName } = claim.spec;
    if (!source || !volumeName) return;
    const isTrue = populatedConditionOf(claim)?.status === 'True';
    const text = this.holdings.textOf(claim);
    if (isTrue && claim.status?.phase === 'Bound' && !claim.metadata.deletionTimestamp && !text) {
      throw new Violation(`${pathOf(claim)} says that its data is there, but its volume is empty`);
    }
    if (isTrue && text?.startsWith('data of free'))
      throw new Violation(`${pathOf(claim)} takes a volume that lay about for its own`);
    if (!isOurs(source)) return;
    const isHanded = this.handOvers.isHanded(claim, volumeName);
    if (isTrue && !isHanded)
      throw new Violation(`${pathOf(claim)} says that its data is there, but it was never handed over`);
    if (!isHanded && !this.users.freeVolumes.has(volumeName)) {
      throw new Violation(`${pathOf(claim)} is bound to ${volumeName}, which was never handed to it`);
    }
  }
}
