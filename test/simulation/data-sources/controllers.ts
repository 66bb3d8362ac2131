import { isLegalName, nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import type { Content } from '../../../tools/csi-stand-in/kinds.ts';
import { annotations } from '../../../tools/csi-stand-in/names.ts';
import { keepSnapshot } from '../../../tools/csi-stand-in/rules/keep-snapshot.ts';
import type { World } from '../../../tools/csi-stand-in/rules/rule.ts';
import type { Controllers } from '../capability.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import { FakeNamespaceController } from '../fake-namespace-controller.ts';
import { FakeVolumeController } from '../fake-volume-controller.ts';
import type { Random } from '../random.ts';
import type { FakeCsiDriver } from './fake-csi-driver.ts';
import { LateProvisioner } from './late-provisioner.ts';
import { place } from './objects.ts';
import type { DataSourceScenario } from './scenario.ts';

/** What the cluster does by itself about claims, volumes and snapshots, the driver and the scheduler among it. */
export class DataSourceControllers implements Controllers {
  private readonly cluster: FakeCluster;
  private readonly csi: FakeCsiDriver;
  private readonly scenario: DataSourceScenario;
  private readonly volumes: FakeVolumeController;
  private readonly late: LateProvisioner;
  private readonly namespaces: FakeNamespaceController;
  private readonly world: World;
  private nodes = 0;

  constructor(cluster: FakeCluster, csi: FakeCsiDriver, scenario: DataSourceScenario) {
    this.cluster = cluster;
    this.csi = csi;
    this.scenario = scenario;
    this.volumes = new FakeVolumeController(cluster);
    this.namespaces = new FakeNamespaceController(cluster);
    this.world = worldOf(cluster);
    this.late = new LateProvisioner(cluster, csi, this.world);
  }

  syncOne(random: Random): void {
    this.scenario.goOn();
    const choice = random.next();
    if (choice < 0.5) this.syncDriver(random);
    else if (choice < 0.55) this.late.syncOne(random);
    else if (choice < 0.6) this.namespaces.sync();
    else if (choice < 0.75) this.syncVolumes();
    else this.syncSomeClaim(random);
    this.publish();
  }

  syncAll(): void {
    this.scenario.goOn();
    this.schedule();
    this.late.finishAll();
    this.namespaces.sync();
    this.volumes.syncAll();
    this.csi.syncAll();
    this.publish();
  }

  /**
   * The snapshot controller binds a content and says so on its snapshot in one go, without another look at either. That a
   * process of it ends just between the two is left out: then a deleted content stays for ever, whoever made it.
   */
  private syncDriver(random: Random): void {
    const before = this.cluster.changes.length;
    this.csi.syncOne(random);
    const { resource, object } = this.cluster.changes[before] ?? {};
    if (resource !== resources.snapshotContent) return;
    const { volumeSnapshotRef } = (object as Content).spec;
    const snapshot = this.world.get(resources.snapshot, volumeSnapshotRef.namespace, volumeSnapshotRef.name ?? '');
    if (!snapshot || snapshot.status?.boundVolumeSnapshotContentName || !volumeSnapshotRef.uid) return;
    for (const action of keepSnapshot(this.world, snapshot).actions) {
      if (action.type === 'change') this.cluster.update(action.name, action.patch, undefined, action.subresource);
    }
  }

  private syncVolumes(): void {
    for (const volume of this.cluster.all(resources.volume)) this.volumes.syncVolume(volume);
  }

  private syncSomeClaim(random: Random): void {
    this.schedule();
    const claims = this.cluster.all(resources.claim);
    if (claims.length > 0) this.volumes.syncClaim(random.pick(claims), random.chance(0.2));
  }

  /** The scheduler chooses a node for a claim that a pod uses; it sees no claims of Longshore's own. */
  private schedule(): void {
    if (!this.scenario.waitsForConsumer) return;
    for (const claim of this.cluster.all(resources.claim)) {
      const { namespace, name, annotations: present = {} } = claim.metadata;
      const isUsed = this.scenario.isConsumed || !claim.spec.dataSourceRef;
      if (namespace === place.system || !isUsed || claim.spec.volumeName || annotations.selectedNode in present)
        continue;
      this.nodes += 1;
      const chosen = { metadata: { annotations: { [annotations.selectedNode]: `node-${this.nodes}` } } };
      this.cluster.update(nameOf(resources.claim, namespace, name), chosen);
    }
  }

  /** What the provisioner says about claims in Longshore's namespace is read there. */
  private publish(): void {
    for (const { about, kind, reason, note } of this.csi.said.splice(0)) {
      const { namespace, name, uid } = about.metadata;
      if (kind !== 'Warning' || namespace !== place.system) continue;
      const event = nameOf(resources.event, namespace, `${name}.${reason.toLowerCase()}`);
      if (this.cluster.read(event)) continue;
      const { apiVersion, kind: eventKind } = resources.event;
      const regarding = { kind: about.kind, namespace, name, uid };
      const body = {
        apiVersion,
        kind: eventKind,
        metadata: { namespace, name: event.name },
        regarding,
        type: kind,
        note,
      };
      this.cluster.create(event, body).catch(() => {});
    }
  }
}

function worldOf(cluster: FakeCluster): World {
  return {
    get: (resource, namespace, name) =>
      isLegalName(name) && (!resource.namespaced || namespace)
        ? cluster.read(nameOf(resource, namespace, name))
        : undefined,
    all: (resource, namespace) => cluster.all(resource, namespace),
    now: () => cluster.now(),
  };
}
