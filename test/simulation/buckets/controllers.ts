import type { Controllers } from '../capability.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import { FakeGarbageCollector } from '../fake-garbage-collector.ts';
import { FakeNamespaceController } from '../fake-namespace-controller.ts';
import type { Random } from '../random.ts';
import type { Successor } from './successor.ts';

/** What happens by itself about buckets: Secrets whose owners are gone are deleted, and so are namespaces when they are empty. */
export class BucketControllers implements Controllers {
  private readonly garbage: FakeGarbageCollector;
  private readonly namespaces: FakeNamespaceController;
  private readonly successor: Successor;

  constructor(cluster: FakeCluster, successor: Successor) {
    this.garbage = new FakeGarbageCollector(cluster);
    this.namespaces = new FakeNamespaceController(cluster);
    this.successor = successor;
  }

  syncOne(random: Random): void {
    if (random.chance(0.5)) this.garbage.sync(random);
    else this.syncNamespaces();
  }

  syncAll(): void {
    this.garbage.sync();
    this.syncNamespaces();
  }

  private syncNamespaces(): void {
    this.namespaces.sync();
    this.successor.look();
  }
}
