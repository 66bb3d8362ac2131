import { isOffered } from '../../lib/capabilities/transfers/by-annotation/claim-marks.ts';
import { fenceOf } from '../../lib/capabilities/transfers/by-request/claim-marks.ts';
import type { Claim, TransferRequest } from '../../lib/kubernetes/objects.ts';
import { displayName } from '../../lib/kubernetes/resources.ts';
import { changesClaims } from '../control-plane/manifests.ts';
import { CsiStandIn } from '../csi-stand-in/stand-in.ts';
import { ClusterClient } from '../local/cluster-client.ts';
import type { LocalStack } from '../local/local-stack.ts';
import { claim, type TransferParts, transferApproval, transferRequest } from '../local/transfer-objects.ts';
import { describeConditions, describeVolume } from './state.ts';
import { giveClaim } from './tour-by-annotation.ts';
import { className, fileName, TourObjects } from './tour-objects.ts';
import { askForBucket, removeBucket } from './tour-of-buckets.ts';
import { TourOfSnapshots } from './tour-of-snapshots.ts';
import { describeWrites } from './writes.ts';

/** Shows how Longshore works, on real objects of a real cluster. */
export class Tour {
  private readonly client: ClusterClient;
  private readonly local: LocalStack;
  private readonly say: (text: string) => void;
  private readonly objects: TourObjects;
  private readonly requests: TransferRequest[] = [];
  private readonly snapshots: TourOfSnapshots | undefined;

  constructor(local: LocalStack, say: (text: string) => void) {
    this.client = new ClusterClient(local.controlPlane.kubeconfigPath);
    this.local = local;
    this.say = say;
    this.objects = new TourObjects(this.client, local.localAws.folder);
    const { driver } = local;
    if (driver instanceof CsiStandIn) this.snapshots = new TourOfSnapshots(this.client, local, driver, say);
  }

  async run(): Promise<void> {
    const changed = await changesClaims(this.local.controlPlane.kubeconfigPath);
    await this.objects.prepare(['prod', 'stage']);
    await this.moveClaim();
    await giveClaim(this.client, this.objects, this.say, changed);
    await this.beRefused();
    await askForBucket(this.client, this.local.localAws, this.say);
    await this.askForSnapshot(changed);
  }

  /**
   * For a cluster that outlives the tour. Requests are removed first: what they have begun is rolled back while
   * Longshore runs.
   */
  async cleanUp(): Promise<void> {
    await removeBucket(this.client);
    await this.snapshots?.remove();
    for (const request of this.requests) await this.client.delete(request);
    for (const source of this.objects.sources) await this.letGo(source);
    await this.objects.remove();
  }

  private async letGo(source: Claim): Promise<void> {
    if (await this.client.get(source)) await this.client.annotate(source, { transferRequest: null });
    await this.client.untilGoneOr(source, (found) => fenceOf(found) === undefined && !isOffered(found));
  }

  private async moveClaim(): Promise<void> {
    const parts: TransferParts = {
      name: 'db1',
      source: { namespace: 'prod', name: 'db1-test' },
      target: { namespace: 'stage', name: 'db1-test' },
    };
    const made = await this.objects.makeClaim('volume-db1', parts.source);
    const claims = [claim(parts.source, className), claim(parts.target, className)];
    this.say('\n1. A claim moves from namespace prod to namespace stage\n');
    this.say(await describeVolume(this.client, made.volume, claims));
    const request = await this.ask(parts);
    const waiting = await this.client.until(request, hasReason('ApprovalMissing'));
    this.say(`\nstage requests it with StorageTransferRequest ${displayName(request.metadata)}. Its conditions say:\n`);
    this.say(describeConditions(waiting.status));
    const started = Date.now();
    const approval = await this.client.create(transferApproval(parts));
    this.say(`\nprod approves with StorageTransferApproval ${displayName(approval.metadata)}, and:\n`);
    await Promise.all([request, approval].map((each) => this.client.until(each, isComplete)));
    const milliseconds = Date.now() - started;
    this.say(await describeWrites(this.local, [displayName(request.metadata), made.volume.metadata.name]));
    this.say(`\nComplete after ${milliseconds} ms. The volume is the same, with its policy and data:\n`);
    this.say(await describeVolume(this.client, made.volume, claims));
    await this.objects.checkFile(made.file);
    this.say(`  ${fileName} on the volume is unchanged`);
  }

  private async beRefused(): Promise<void> {
    const parts: TransferParts = {
      name: 'db2',
      source: { namespace: 'prod', name: 'db2-test' },
      target: { namespace: 'stage', name: 'db2-test' },
    };
    const made = await this.objects.makeClaim('volume-db2', parts.source);
    const occupant = claim(parts.target, className);
    await this.client.create(occupant);
    this.say('\n3. A transfer that cannot happen: stage already has a claim of that name\n');
    await this.client.create(transferApproval(parts));
    const request = await this.ask(parts);
    const refused = await this.client.until(request, hasReason('TargetExists'));
    this.say(describeConditions(refused.status));
    const [event] = (await this.client.eventsAbout(request)).slice(-1);
    this.say(`\nand as an event: ${event?.type} ${event?.reason}. Nothing has been moved:\n`);
    this.say(await describeVolume(this.client, made.volume, [claim(parts.source, className), occupant]));
  }

  private async askForSnapshot(changed: boolean): Promise<void> {
    const { driver } = this.local;
    if (this.snapshots) await this.snapshots.run(changed);
    if ('lacking' in driver) {
      this.say(`\n5. Snapshots are skipped: the given cluster does not serve ${driver.lacking.join(', ')}`);
    }
  }

  private async ask(parts: TransferParts): Promise<TransferRequest> {
    const request = await this.client.create(transferRequest(parts));
    this.requests.push(request);
    return request;
  }
}

type WithStatus = Pick<TransferRequest, 'status'>;

function hasReason(reason: string) {
  return ({ status }: WithStatus) => status?.conditions?.some((condition) => condition.reason === reason) ?? false;
}

function isComplete({ status }: WithStatus): boolean {
  return status?.complete === true;
}
