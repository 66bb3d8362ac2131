import { confirmationAnnotation } from '../../../lib/kubernetes/namespace-consent.ts';
import type { ReferenceGrant } from '../../../lib/kubernetes/objects.ts';
import { isGranted } from '../../../lib/kubernetes/reference-grants.ts';
import { groupOf, resources } from '../../../lib/kubernetes/resources.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import { type Manner, namespaceOf, place, snapshots } from './objects.ts';

/** For which namespaces the grants of a run are, by those that there were when each was written. */
export class GrantsNoted {
  private readonly cluster: FakeCluster;
  private readonly manner: Manner;
  /** Of each grant, by uid: the namespace that it was given to, and the one that it is in. */
  private readonly given = new Map<string, { to: string; of: string }>();
  private readonly seen = new Set<string>();

  constructor(cluster: FakeCluster, manner: Manner) {
    this.cluster = cluster;
    this.manner = manner;
  }

  /** All that ever had the snapshots. */
  get namespaces(): string[] {
    return [...this.seen];
  }

  note(): string[] {
    const present = this.uidOf(place.source);
    this.seen.add(present);
    // A link to its own namespace needs nobody's leave.
    if (this.manner === 'own link') return snapshots.map((name) => `${name} of ${present} is granted to ${present}`);
    const grants = this.cluster.all(resources.referenceGrant, place.source);
    return grants.flatMap((grant) => this.factsOf(grant));
  }

  private factsOf(grant: ReferenceGrant): string[] {
    const { uid = '', annotations = {} } = grant.metadata;
    const given = this.given.get(uid) ?? { to: this.uidOf(namespaceOf(this.manner)), of: this.uidOf(place.source) };
    this.given.set(uid, given);
    const confirmed = annotations[confirmationAnnotation]?.split(',') ?? [];
    return snapshots
      .filter((name) => this.covers(grant, name))
      .flatMap((name) => [given.to, ...confirmed].map((to) => `${name} of ${given.of} is granted to ${to}`));
  }

  private covers(grant: ReferenceGrant, name: string): boolean {
    const resource = this.manner === 'reference' ? resources.claim : resources.snapshotLink;
    const from = { group: groupOf(resource), kind: resource.kind, namespace: namespaceOf(this.manner) };
    const to = { group: groupOf(resources.snapshot), kind: resources.snapshot.kind, name };
    return isGranted([grant], { from, to });
  }

  private uidOf(namespace: string): string {
    return this.cluster.namespaces.get(namespace)?.metadata.uid ?? 'none';
  }
}
