import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import type { FakeCluster } from '../fake-cluster.ts';

const ofOwners: Resource[] = [resources.claim, resources.snapshot];
const ofConsent: Resource[] = [resources.claim, resources.snapshotLink, resources.referenceGrant];

/** Namespaces that are deleted, and made anew by somebody else when they are gone. */
export class NamespacesRemade {
  private readonly cluster: FakeCluster;
  private readonly going = new Set<string>();

  constructor(cluster: FakeCluster) {
    this.cluster = cluster;
  }

  /** All in it is given up by its owner. */
  begin(namespace: string): ClusterObject[] {
    this.going.add(namespace);
    this.cluster.namespaces.terminate(namespace);
    return ofOwners.flatMap((kind) => this.cluster.all(kind, namespace));
  }

  get areGoing(): boolean {
    return this.going.size > 0;
  }

  /** Answers those that have been made anew. */
  goOn(): string[] {
    return [...this.going].filter((namespace) => {
      const isGone = this.cluster.namespaces.get(namespace) === undefined;
      if (!isGone || this.isSameSecond()) return false;
      this.cluster.namespaces.add(namespace);
      this.going.delete(namespace);
      return true;
    });
  }

  /** The server keeps seconds: of what was written in this one nobody could say whether it was there before. */
  private isSameSecond(): boolean {
    const second = this.cluster.now().toISOString().slice(0, 19);
    const written = ofConsent.flatMap((kind) => this.cluster.all(kind));
    return written.some(({ metadata }) => metadata.creationTimestamp?.startsWith(second));
  }
}
