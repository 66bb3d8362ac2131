import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyNameOf, systemNamespace } from '../../lib/capabilities/data-sources/names.ts';
import { populatedConditionOf } from '../../lib/capabilities/data-sources/populated.ts';
import type { Claim, ClusterObject, Volume } from '../../lib/kubernetes/objects.ts';
import { displayName, resources } from '../../lib/kubernetes/resources.ts';
import type { Snapshot } from '../csi-stand-in/kinds.ts';
import { emptyClaim, provisionedClass, snapshotClass, snapshotOf } from '../csi-stand-in/objects.ts';
import type { CsiStandIn } from '../csi-stand-in/stand-in.ts';
import type { ClusterClient } from '../local/cluster-client.ts';
import { driverName } from '../local/local-driver.ts';
import type { LocalStack } from '../local/local-stack.ts';
import { claimAcross, claimByReference, snapshotGrant } from '../local/snapshot-objects.ts';
import { describeConditions, describeVolume } from './state.ts';
import { table } from './table.ts';
import { fileName } from './tour-objects.ts';
import { describeWrites } from './writes.ts';

const className = 'longshore-tour-snapshots';
const source = emptyClaim({ namespace: 'prod', name: 'ledger', className });
const snapshot = snapshotOf(source, 'monday', className);
const place = { namespace: 'prod', name: 'monday' };
const parts = { namespace: 'stage', name: 'ledger', className };
const wanted = claimAcross(place, parts);
const grant = snapshotGrant({ namespace: 'prod', name: 'monday-to-stage' }, 'stage', place.name);
const classes = [
  provisionedClass({ name: className, driver: driverName }),
  snapshotClass({ name: className, driver: driverName }),
];
const written = 'What the ledger said on Monday.';

/** A claim gets the data of a snapshot in another namespace, as soon as that grants it. */
export class TourOfSnapshots {
  private readonly client: ClusterClient;
  private readonly local: LocalStack;
  private readonly driver: CsiStandIn;
  private readonly say: (text: string) => void;
  private readonly volumes: Volume[] = [];

  constructor(client: ClusterClient, local: LocalStack, driver: CsiStandIn, say: (text: string) => void) {
    this.client = client;
    this.local = local;
    this.driver = driver;
    this.say = say;
  }

  /** `changed`: whether the cluster changes claims as they are created. */
  async run(changed: boolean): Promise<void> {
    this.say('\n5. A claim gets the data of a snapshot in another namespace\n');
    await this.takeSnapshot();
    const asked = await this.client.create(changed ? wanted : claimByReference(place, parts));
    const waiting = await this.client.until<Claim>(asked, (found) => reasonOf(found) === 'NotGranted');
    const reference = changed ? 'VolumeSnapshot monday of namespace prod' : 'VolumeSnapshotReference prod.monday';
    if (!changed)
      this.say('\nThis cluster would drop a reference with a namespace, so stage writes it in another way.');
    this.say(`\nstage creates claim ledger with dataSourceRef ${reference}. Its condition says:\n`);
    this.say(describeConditions(waiting.status));
    const started = Date.now();
    await this.client.create(grant);
    this.say(`\nprod allows it with ReferenceGrant ${displayName(grant.metadata)}, and:\n`);
    const populated = await this.client.until<Claim>(asked, (found) => reasonOf(found) === 'Populated');
    const milliseconds = Date.now() - started;
    this.say(await describeWrites(this.local, keysOf(asked), 'Populated'));
    this.say(`\nBound after ${milliseconds} ms, to its own volume:\n`);
    const volume = await this.volumeOf(populated);
    this.say(await describeVolume(this.client, volume, [asked]));
    this.say(describeConditions(populated.status));
    await this.checkFile(volume);
  }

  /**
   * For a cluster that outlives the tour: while the driver runs, volumes and snapshots are deleted with their objects.
   */
  async remove(): Promise<void> {
    const made: ClusterObject[] = [wanted, grant, snapshot, source];
    for (const object of made) await this.client.delete(object);
    for (const object of [...made, ...this.volumes]) await this.client.untilGone(object);
    for (const each of classes) await this.client.delete(each);
  }

  private async takeSnapshot(): Promise<void> {
    for (const each of classes) await this.client.create(each);
    await this.client.create(source);
    const bound = await this.client.until<Claim>(source, ({ status }) => status?.phase === 'Bound');
    const file = this.fileOn(await this.volumeOf(bound));
    await writeFile(file, `${written}\n`);
    await this.client.create(snapshot);
    const ready = await this.client.until<Snapshot>(snapshot, ({ status }) => status?.readyToUse === true);
    // From here on the claim and its snapshot differ.
    await writeFile(file, 'What it says today.\n');
    this.say(`prod has claim ledger with ${fileName} on its volume, and a snapshot of it:\n`);
    this.say(describeSnapshot(ready));
  }

  private async checkFile(volume: Volume): Promise<void> {
    const text = (await readFile(this.fileOn(volume), 'utf8')).trim();
    if (text !== written) throw new Error(`${this.fileOn(volume)} is not what it was in the snapshot: ${text}`);
    this.say(`\n${fileName} on this volume is as in the snapshot, although prod has changed it since:`);
    this.say(`  ${text}`);
  }

  private fileOn(volume: Volume): string {
    return join(this.driver.directoryOf(volume), fileName);
  }

  private async volumeOf({ spec }: Claim): Promise<Volume> {
    const { apiVersion, kind } = resources.volume;
    const reference = { apiVersion, kind, metadata: { name: spec.volumeName ?? '' } };
    const volume = await this.client.until<Volume>(reference as Volume);
    this.volumes.push(volume);
    return volume;
  }
}

function reasonOf(claim: Claim): string | undefined {
  return populatedConditionOf(claim)?.reason;
}

/** The writes for the claim, and those for its copies. */
function keysOf(claim: Claim): string[] {
  return [claim.metadata, { namespace: systemNamespace, name: copyNameOf(claim) }].map(displayName);
}

function describeSnapshot({ metadata, spec, status }: Snapshot): string {
  const { boundVolumeSnapshotContentName: content = '', readyToUse } = status ?? {};
  const { persistentVolumeClaimName: claim = '' } = spec.source;
  return table(
    ['VOLUMESNAPSHOT', 'CLAIM', 'READY', 'CONTENT'],
    [[displayName(metadata), claim, String(readyToUse), content]],
  );
}
