import type { Claim, ClusterObject } from '../../../lib/kubernetes/objects.ts';
import { isLegalName, nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import { MemoryDisk } from '../../../tools/csi-stand-in/memory-disk.ts';
import { annotations } from '../../../tools/csi-stand-in/names.ts';
import { annotated } from '../../../tools/csi-stand-in/rules/actions.ts';
import type { Action, Driver, DriverOptions, Step, World } from '../../../tools/csi-stand-in/rules/rule.ts';
import { type Sidecar, sidecarsOf } from '../../../tools/csi-stand-in/rules/sidecars.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import type { Random } from '../random.ts';

type Said = Extract<Action, { type: 'event' }>;

/** A rule that finds something to do about the same object more often than this does not come to an end. */
const maxTurns = 30;

/**
 * Drivers with all their sidecars beside an API server in memory, one object at a time, whenever they get to it. They
 * follow the rules of the stand-in that runs beside a real one.
 */
export class FakeCsiDriver {
  readonly said: Said[] = [];
  private readonly cluster: FakeCluster;
  private readonly disks = new Map<string, MemoryDisk>();
  private readonly drivers = new Map<string, Driver>();
  private readonly sidecars: readonly Sidecar[];
  private readonly world: World;

  constructor(cluster: FakeCluster, ...drivers: DriverOptions[]) {
    this.cluster = cluster;
    for (const options of drivers) {
      const disk = new MemoryDisk();
      this.disks.set(options.name, disk);
      this.drivers.set(options.name, { options, disk, failing: false, hanging: false, uploading: false });
    }
    this.sidecars = [requests, ...sidecarsOf([...this.drivers.values()])];
    this.world = worldOf(cluster);
  }

  diskOf(name: string): MemoryDisk {
    const disk = this.disks.get(name);
    if (!disk) throw new Error(`there is no driver ${name}`);
    return disk;
  }

  /** How a driver fares, which may be changed at any time. */
  driver(name: string): Driver {
    const driver = this.drivers.get(name);
    if (!driver) throw new Error(`there is no driver ${name}`);
    return driver;
  }

  /** One step of some sidecar about some object. Answers whether there was one that changed anything. */
  syncOne(random: Random): boolean {
    const due = this.sidecars.flatMap((sidecar) =>
      this.cluster.all(sidecar.resource).flatMap((object) => {
        const step = sidecar.next(this.world, object);
        return changes(step) ? [step] : [];
      }),
    );
    if (due.length === 0) return false;
    this.perform(random.pick(due));
    return true;
  }

  /** Looks at everything once, and does all that there is to do about each object. */
  syncAll(): void {
    for (const sidecar of this.sidecars) {
      for (const { metadata } of this.cluster.all(sidecar.resource)) this.sync(sidecar, metadata);
    }
  }

  private sync(sidecar: Sidecar, { namespace, name }: ClusterObject['metadata']): void {
    for (let turn = 0; turn < maxTurns; turn += 1) {
      const object = this.world.get(sidecar.resource, namespace, name);
      if (!object) return;
      const step = sidecar.next(this.world, object);
      this.perform(step);
      if (step.again || !changes(step)) return;
    }
    throw new Error(`${sidecar.name} does not come to an end with ${name}`);
  }

  private perform({ actions }: Step): void {
    for (const action of actions) this.act(action);
  }

  private act(action: Action): void {
    switch (action.type) {
      case 'event':
        this.said.push(action);
        break;
      case 'disk':
        action.operation(this.diskOf(action.driver));
        break;
      case 'create':
        // All that happens has happened when the promise is made.
        this.cluster.create(action.name, action.body).catch(() => {});
        break;
      case 'delete':
        this.cluster.delete(action.name).catch(() => {});
        break;
      case 'change':
        this.cluster.update(action.name, action.patch, undefined, action.subresource);
    }
  }
}

function changes({ actions }: Step): boolean {
  return actions.some(({ type }) => type !== 'event');
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

/** The volume controller names the provisioner on a claim that is to be provisioned, once a node is chosen if need be. */
const requests: Sidecar = {
  name: 'requests',
  resource: resources.claim,
  next: (world, object) => {
    const { metadata, spec } = object as Claim;
    const { [annotations.provisioner]: named, [annotations.selectedNode]: node } = metadata.annotations ?? {};
    const storageClass = world.get(resources.storageClass, undefined, spec.storageClassName ?? '');
    if (!storageClass || spec.volumeName || named === storageClass.provisioner) return { actions: [] };
    if (storageClass.volumeBindingMode === 'WaitForFirstConsumer' && !node) return { actions: [] };
    return { actions: [annotated(object, annotations.provisioner, storageClass.provisioner)] };
  },
};
