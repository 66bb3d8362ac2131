import type { Claim, ClusterObject, Volume } from '../../../lib/kubernetes/objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { type Content, contentResource, handleOf, type Snapshot } from '../../../tools/csi-stand-in/kinds.ts';
import {
  type ClaimParts,
  claimFrom,
  emptyClaim,
  provisionedClass,
  snapshotClass,
  snapshotOf,
} from '../../../tools/csi-stand-in/objects.ts';
import { nameOfObject } from '../../../tools/csi-stand-in/rules/actions.ts';
import type { DriverOptions } from '../../../tools/csi-stand-in/rules/rule.ts';
import { FakeCsiDriver } from '../../simulation/data-sources/fake-csi-driver.ts';
import { FakeCluster } from '../../simulation/fake-cluster.ts';
import { FakeVolumeController } from '../../simulation/fake-volume-controller.ts';

export const driverName = 'first.csi.longshore.dev';

/** A cluster with a driver, a storage class and a snapshot class of it, both named after it. */
export class Case {
  readonly cluster = new FakeCluster(() => new Date('2026-01-01T00:00:00Z'));
  readonly csi: FakeCsiDriver;
  private readonly controller = new FakeVolumeController(this.cluster);

  constructor(options: Omit<DriverOptions, 'name'> = {}, ...others: DriverOptions[]) {
    this.csi = new FakeCsiDriver(this.cluster, { ...options, name: driverName }, ...others);
    this.cluster.namespaces.add('here', 'there', 'default');
    for (const { name } of [{ name: driverName }, ...others]) {
      this.make(provisionedClass({ name, driver: name }));
      this.make(snapshotClass({ name, driver: name }));
    }
  }

  make<T extends ClusterObject>(object: T): T {
    this.cluster.create(nameOfObject(object), object).catch((error) => {
      throw error;
    });
    return this.now(object);
  }

  /** An object as it is now. */
  now<T extends ClusterObject>(object: T): T {
    const found = this.find(object);
    if (!found) throw new Error(`${object.kind} ${object.metadata.name} is gone`);
    return found;
  }

  find<T extends ClusterObject>(object: T): T | undefined {
    return this.cluster.read(nameOfObject(object));
  }

  change(object: ClusterObject, patch: object): void {
    this.cluster.update(nameOfObject(object), patch);
  }

  delete(object: ClusterObject): void {
    this.cluster.delete(nameOfObject(object)).catch(() => {});
  }

  /** Lets everybody work until nobody does anything any more. */
  settle(): void {
    for (let before = -1; before !== this.cluster.changes.length; ) {
      before = this.cluster.changes.length;
      this.controller.syncAll();
      this.csi.syncAll();
    }
  }

  /** A bound claim whose volume holds a text. */
  claimWith(content: string, parts: Partial<ClaimParts> = {}): Claim {
    const claim = this.make(emptyClaim(partsOf('data', parts)));
    this.settle();
    this.csi.diskOf(parts.className ?? driverName).write(handleOf(this.volumeOf(claim)) ?? '', content);
    return this.now(claim);
  }

  snapshot(claim: Claim, name = 'taken', className = driverName): Snapshot {
    const snapshot = this.make(snapshotOf(claim, name, className));
    this.settle();
    return this.now(snapshot);
  }

  restore(source: Parameters<typeof claimFrom>[0], parts: Partial<ClaimParts> = {}): Claim {
    const claim = this.make(claimFrom(source, partsOf('restored', parts)));
    // The server writes a reference to a kind that it knows into the older field as well.
    const { dataSourceRef } = claim.spec;
    const isKnown = ['VolumeSnapshot', 'PersistentVolumeClaim'].includes(dataSourceRef?.kind ?? '');
    if (isKnown && !dataSourceRef?.namespace) this.change(claim, { spec: { dataSource: dataSourceRef } });
    this.settle();
    return this.now(claim);
  }

  volumeOf(claim: Claim): Volume {
    const found = this.cluster
      .all(resources.volume)
      .find(
        ({ spec }) =>
          spec.claimRef?.name === claim.metadata.name && spec.claimRef.namespace === claim.metadata.namespace,
      );
    if (!found) throw new Error(`${claim.metadata.name} has no volume`);
    return found;
  }

  contentOf({ status }: Snapshot): Content {
    const name = status?.boundVolumeSnapshotContentName ?? '';
    return this.now({
      apiVersion: contentResource.apiVersion,
      kind: contentResource.kind,
      metadata: { name },
    } as Content);
  }

  /** The text in the volume of a claim. */
  textIn(claim: Claim): string | undefined {
    const volume = this.volumeOf(claim);
    return this.csi.diskOf(String(volume.spec.csi?.driver)).contentOf(handleOf(volume) ?? '');
  }

  warningsAbout({ metadata }: ClusterObject): string[] {
    const said = this.csi.said.filter(({ about, kind }) => kind === 'Warning' && about.metadata.uid === metadata.uid);
    return [...new Set(said.map(({ reason, note }) => `${reason}: ${note}`))];
  }
}

export function partsOf(name: string, parts: Partial<ClaimParts>): ClaimParts {
  return { namespace: 'here', name, className: driverName, ...parts };
}
