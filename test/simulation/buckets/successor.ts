import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import type { User } from '../user.ts';
import { bucketOf, className, team } from './objects.ts';

/** Somebody else who takes the name of a namespace as soon as it is free, and asks for what the first one had. */
export class Successor {
  /** The uid of the namespace that all began with. */
  readonly first: string;
  private isWaiting = false;
  private readonly cluster: FakeCluster;
  private readonly user: User;

  constructor(cluster: FakeCluster, user: User) {
    this.cluster = cluster;
    this.user = user;
    this.first = this.present?.metadata.uid ?? '';
  }

  wait(): void {
    this.cluster.namespaces.terminate(team);
    this.isWaiting = true;
  }

  /** Times on the wire have whole seconds: whoever comes in the same one cannot be told from whoever was there before. */
  look(): void {
    if (!this.isWaiting || this.present || this.classMadeAt >= Math.floor(this.cluster.now().getTime() / 1_000)) return;
    this.isWaiting = false;
    this.cluster.namespaces.add(team);
    this.user.create(bucketOf('photos'));
  }

  /** Whether the class was written for an earlier namespace than the present one. */
  get isStranger(): boolean {
    if (!this.present || this.present.metadata.uid === this.first) return false;
    // One that is gone by now may have been written for this one.
    if (this.classMadeAt === 0) return false;
    return this.classMadeAt < Date.parse(this.present.metadata.creationTimestamp ?? '') / 1_000;
  }

  private get present() {
    return this.cluster.namespaces.get(team);
  }

  private get classMadeAt(): number {
    const found = this.cluster.read(nameOf(resources.bucketClass, undefined, className));
    return Date.parse(found?.metadata.creationTimestamp ?? '') / 1_000 || 0;
  }
}
