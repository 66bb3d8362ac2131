import type { Claim } from '../../../lib/kubernetes/objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { provision, volumeNameFor } from '../../../tools/csi-stand-in/rules/provision.ts';
import type { Action, World } from '../../../tools/csi-stand-in/rules/rule.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import type { Random } from '../random.ts';
import type { FakeCsiDriver } from './fake-csi-driver.ts';
import { driverName } from './objects.ts';

/**
 * Calls of a provisioner that take long: the claim was looked at when they began, and may be gone when they end. What was
 * begun is finished all the same, as the real provisioner does.
 */
export class LateProvisioner {
  private readonly cluster: FakeCluster;
  private readonly csi: FakeCsiDriver;
  private readonly world: World;
  private readonly begun = new Map<string, readonly Action[]>();

  constructor(cluster: FakeCluster, csi: FakeCsiDriver, world: World) {
    this.cluster = cluster;
    this.csi = csi;
    this.world = world;
  }

  /** Takes up one claim that waits, or ends one call. */
  syncOne(random: Random): void {
    const waiting = this.cluster.all(resources.claim).filter(({ spec }) => !spec.volumeName);
    if (this.begun.size > 0 && random.chance(0.5)) this.finish(random.pick([...this.begun.keys()]));
    else if (waiting.length > 0) this.begin(random.pick(waiting));
  }

  finishAll(): void {
    for (const volume of this.begun.keys()) this.finish(volume);
  }

  private begin(claim: Claim): void {
    const { actions } = provision(this.csi.driver(driverName), this.world, claim);
    const making = actions.filter(({ type }) => type === 'disk' || type === 'create');
    if (making.length > 0) this.begun.set(volumeNameFor(claim), making);
  }

  private finish(volume: string): void {
    const actions = this.begun.get(volume) ?? [];
    this.begun.delete(volume);
    // It works on one claim only once at a time: if there was such a volume meanwhile, this call was never made.
    const wasMade = this.cluster.changes.some(({ resource, object }) => {
      return resource === resources.volume && object.metadata.name === volume;
    });
    if (wasMade) return;
    try {
      for (const action of actions) this.act(action);
    } catch {
      // What it was to be made from is not on the disk any more.
    }
  }

  private act(action: Action): void {
    if (action.type === 'disk') action.operation(this.csi.diskOf(action.driver));
    if (action.type === 'create') this.cluster.create(action.name, action.body).catch(() => {});
  }
}
