import type { Controllers } from '../capability.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import { FakeGarbageCollector } from '../fake-garbage-collector.ts';
import type { Random } from '../random.ts';

/** What the cluster does by itself about buckets: it deletes Secrets whose owners are gone. */
export class BucketControllers implements Controllers {
  private readonly garbage: FakeGarbageCollector;

  constructor(cluster: FakeCluster) {
    this.garbage = new FakeGarbageCollector(cluster);
  }

  syncOne(random: Random): void {
    this.garbage.sync(random);
  }

  syncAll(): void {
    this.garbage.sync();
  }
}
