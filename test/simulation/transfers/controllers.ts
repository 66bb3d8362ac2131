import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import type { Controllers } from '../capability.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import { FakeGarbageCollector } from '../fake-garbage-collector.ts';
import { FakeNamespaceController } from '../fake-namespace-controller.ts';
import { FakeVolumeController } from '../fake-volume-controller.ts';
import type { Random } from '../random.ts';

import { FakeDriver } from './fake-driver.ts';

interface Surroundings {
  obey?: () => void;
  react?: () => void;
  beforeDeletion?: (object: ClusterObject) => void;
}

/** Those controllers of the cluster that have to do with claims. */
export class TransferControllers implements Controllers {
  private readonly cluster: FakeCluster;
  private readonly volumes: FakeVolumeController;
  private readonly driver: FakeDriver;
  private readonly garbage: FakeGarbageCollector;
  private readonly namespaces: FakeNamespaceController;
  /** Whoever does what claims say goes on with it until nothing more is said. */
  private readonly obey: () => void;
  /** Whoever watches what happens. */
  private readonly react: () => void;

  constructor(cluster: FakeCluster, { obey = () => {}, react = () => {}, beforeDeletion }: Surroundings = {}) {
    this.obey = obey;
    this.react = react;
    this.cluster = cluster;
    this.volumes = new FakeVolumeController(cluster);
    this.driver = new FakeDriver(cluster);
    this.garbage = new FakeGarbageCollector(cluster);
    this.namespaces = new FakeNamespaceController(cluster, beforeDeletion);
  }

  syncOne(random: Random): void {
    this.react();
    this.namespaces.sync();
    const choice = random.next();
    if (choice < 0.3) {
      for (const volume of this.cluster.all(resources.volume)) this.volumes.syncVolume(volume);
      return;
    }
    if (choice > 0.85 && this.driver.sync()) return;
    if (choice < 0.5 && this.garbage.sync(random)) return;
    const claims = this.cluster.all(resources.claim);
    if (claims.length > 0) this.volumes.syncClaim(random.pick(claims));
  }

  syncAll(): void {
    this.namespaces.sync();
    this.garbage.sync();
    this.driver.sync();
    this.volumes.syncAll();
    this.obey();
  }
}
