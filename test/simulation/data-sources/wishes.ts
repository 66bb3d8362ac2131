import { isCopy } from '../../../lib/capabilities/data-sources/names.ts';
import type { VolumeSnapshotLink } from '../../../lib/capabilities/data-sources/objects.ts';
import { isOurs, sourceOf } from '../../../lib/capabilities/data-sources/reference.ts';
import { confirmationAnnotation } from '../../../lib/kubernetes/namespace-consent.ts';
import type { Claim, ClusterObject } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import { GrantsNoted } from './grants-noted.ts';
import type { Taken } from './holdings.ts';
import { type Manner, namespaceOf, place, snapshots } from './objects.ts';

const none = 'none';

/** What people have wanted and allowed at which time of a run, by what stood in the cluster, and of which namespaces. */
export class Wishes {
  private readonly cluster: FakeCluster;
  private readonly manner: Manner;
  private readonly grants: GrantsNoted;
  private present = new Set<string>();
  /** When what is not so any more was so for the last time. */
  private readonly ended = new Map<string, number>();
  /** Of links and claims, by uid: the namespace of snapshots that there was when they were made. */
  private readonly meant = new Map<string, string>();
  /** The namespace of each claim, by uid. */
  private readonly homes = new Map<string, string>();

  constructor(cluster: FakeCluster, manner: Manner) {
    this.cluster = cluster;
    this.manner = manner;
    this.grants = new GrantsNoted(cluster, manner);
  }

  static readonly kinds: readonly Resource[] = [
    resources.claim,
    resources.referenceGrant,
    resources.snapshotLink,
    resources.snapshot,
  ];

  /** Takes note of how it is now. */
  note(): void {
    const facts = new Set<string>(this.grants.note());
    for (const name of snapshots) {
      const uid = this.cluster.read(nameOf(resources.snapshot, place.source, name))?.metadata.uid ?? none;
      facts.add(`${uid} is ${name}`);
    }
    for (const link of this.cluster.all(resources.snapshotLink)) this.noteMeant(link);
    for (const claim of this.cluster.all(resources.claim)) this.noteClaim(claim, facts);
    const now = this.cluster.now().getTime();
    for (const fact of this.present) if (!facts.has(fact)) this.ended.set(fact, now);
    this.present = facts;
  }

  /** Whether a claim asked for a snapshot of this name, in the namespace that it was in, then or later. */
  wasWanted(claim: string, { name, namespace }: Taken, since: number): boolean {
    return this.wasSo(`${claim} wants ${name} of ${namespace}`, since);
  }

  /** Whether the owner of that namespace has granted it to the namespace of this claim. */
  wasGranted(claim: string, { name, namespace }: Pick<Taken, 'name' | 'namespace'>, since: number): boolean {
    return this.wasSo(`${name} of ${namespace} is granted to ${this.homes.get(claim)}`, since);
  }

  /** Whether whoever had the namespace of snapshots at some time has granted any to the namespace of this claim. */
  wasAnyGranted(claim: string, since: number): boolean {
    return this.grants.namespaces.some((namespace) =>
      snapshots.some((name) => this.wasGranted(claim, { name, namespace }, since)),
    );
  }

  /** Whether this was the snapshot of that name then or later, or at least no other one was. */
  wasThere({ uid, name }: Taken, since: number): boolean {
    return this.wasSo(`${uid} is ${name}`, since) || this.wasSo(`${none} is ${name}`, since);
  }

  /** Whether what a claim asks for is a snapshot of a namespace that is gone. */
  isOutlived(claim: Claim): boolean {
    const present = this.cluster.namespaces.get(place.source)?.metadata.uid ?? none;
    return this.manner !== 'own link' && !this.meantBy(this.wishOf(claim) ?? claim).includes(present);
  }

  private wasSo(fact: string, since: number): boolean {
    return this.present.has(fact) || (this.ended.get(fact) ?? Number.NEGATIVE_INFINITY) >= since;
  }

  private noteMeant({ metadata: { uid = '' } }: ClusterObject): void {
    if (!this.meant.has(uid)) this.meant.set(uid, this.cluster.namespaces.get(place.source)?.metadata.uid ?? none);
  }

  private noteClaim(claim: Claim, facts: Set<string>): void {
    const source = sourceOf(claim);
    if (!isOurs(source) || isCopy(claim)) return;
    this.noteMeant(claim);
    const { uid = '' } = claim.metadata;
    if (!this.homes.has(uid)) {
      this.homes.set(uid, this.cluster.namespaces.get(namespaceOf(this.manner))?.metadata.uid ?? none);
    }
    const wish = this.wishOf(claim);
    const { name } = source?.type === 'reference' ? source : ((wish as VolumeSnapshotLink)?.spec.source ?? {});
    if (!wish || !name) return;
    for (const namespace of this.meantBy(wish)) facts.add(`${uid} wants ${name} of ${namespace}`);
  }

  /** What names the snapshot: the link of a claim, or the claim itself. */
  private wishOf(claim: Claim): ClusterObject | undefined {
    const source = sourceOf(claim);
    if (source?.type !== 'link') return claim;
    return this.cluster.read(nameOf(resources.snapshotLink, claim.metadata.namespace, source.name));
  }

  private meantBy({ metadata: { uid = '', annotations = {} } }: ClusterObject): string[] {
    return [this.meant.get(uid) ?? none, ...(annotations[confirmationAnnotation]?.split(',') ?? [])];
  }
}
