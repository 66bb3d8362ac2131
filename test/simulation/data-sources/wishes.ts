import type { Claim, ReferenceGrant } from '../../../lib/cluster/objects.ts';
import { isGranted } from '../../../lib/cluster/reference-grants.ts';
import { groupOf, nameOf, type Resource, resources } from '../../../lib/cluster/resources.ts';
import { isCopy } from '../../../lib/data-sources/names.ts';
import type { VolumeSnapshotLink } from '../../../lib/data-sources/objects.ts';
import { isOurs, sourceOf } from '../../../lib/data-sources/reference.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import { type Manner, namespaceOf, place, type SnapshotName, snapshots } from './objects.ts';

const none = 'none';

/** What people have wanted and allowed at which time of a run, by what stood in the cluster. */
export class Wishes {
  private readonly cluster: FakeCluster;
  private present = new Set<string>();
  /** When what is not so any more was so for the last time. */
  private readonly ended = new Map<string, number>();

  private readonly manner: Manner;

  constructor(cluster: FakeCluster, manner: Manner) {
    this.cluster = cluster;
    this.manner = manner;
  }

  static readonly kinds: readonly Resource[] = [
    resources.claim,
    resources.referenceGrant,
    resources.snapshotLink,
    resources.snapshot,
  ];

  /** Takes note of how it is now. */
  note(): void {
    const facts = new Set<string>();
    for (const name of snapshots) {
      const uid = this.cluster.read(nameOf(resources.snapshot, place.source, name))?.metadata.uid ?? none;
      facts.add(`${uid} is ${name}`);
    }
    this.noteGrants(facts);
    for (const claim of this.cluster.all<Claim>(resources.claim)) this.noteClaim(claim, facts);
    const now = this.cluster.now().getTime();
    for (const fact of this.present) if (!facts.has(fact)) this.ended.set(fact, now);
    this.present = facts;
  }

  /** Whether a claim asked for a snapshot of this name then or later. */
  wasWanted(claim: string, name: SnapshotName, since: number): boolean {
    return this.wasSo(`${claim} wants ${name}`, since);
  }

  /** Whether claims as they are in this run might have it, whenever each of them was made. */
  wasGranted(name: SnapshotName, since: number): boolean {
    return this.wasSo(`${name} is granted`, since);
  }

  /** Whether this was the snapshot of that name then or later, or at least no other one was. */
  wasThere(snapshot: string, name: SnapshotName, since: number): boolean {
    return this.wasSo(`${snapshot} is ${name}`, since) || this.wasSo(`${none} is ${name}`, since);
  }

  private wasSo(fact: string, since: number): boolean {
    return this.present.has(fact) || (this.ended.get(fact) ?? Number.NEGATIVE_INFINITY) >= since;
  }

  private noteGrants(facts: Set<string>): void {
    const grants = this.cluster.all<ReferenceGrant>(resources.referenceGrant, place.source);
    const resource = this.manner === 'reference' ? resources.claim : resources.snapshotLink;
    const from = { group: groupOf(resource), kind: resource.kind, namespace: namespaceOf(this.manner) };
    for (const name of snapshots) {
      const to = { group: groupOf(resources.snapshot), kind: resources.snapshot.kind, name };
      // A link to its own namespace needs nobody's leave.
      if (this.manner === 'own link' || isGranted(grants, { from, to })) facts.add(`${name} is granted`);
    }
  }

  private noteClaim(claim: Claim, facts: Set<string>): void {
    const source = sourceOf(claim);
    if (!isOurs(source) || isCopy(claim)) return;
    const { uid, namespace = '' } = claim.metadata;
    const link = source?.type === 'link' ? this.linkOf(namespace, source.name) : undefined;
    const { name } = source?.type === 'reference' ? source : (link?.spec.source ?? {});
    if (name) facts.add(`${uid} wants ${name}`);
  }

  private linkOf(namespace: string, name: string): VolumeSnapshotLink | undefined {
    return this.cluster.read<VolumeSnapshotLink>(nameOf(resources.snapshotLink, namespace, name));
  }
}
