import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Claim, ClusterObject, TransferRequest, Volume } from '../../lib/cluster/objects.ts';
import { displayName } from '../../lib/cluster/resources.ts';
import { fenceOf } from '../../lib/transfers/by-request/marks.ts';
import { ClusterClient } from '../local/cluster-client.ts';
import type { LocalStack } from '../local/local-stack.ts';
import {
  claim,
  storageClass,
  type TransferParts,
  transferApproval,
  transferRequest,
  volume,
} from '../local/transfer-objects.ts';
import { describeConditions, describeVolume } from './state.ts';
import { describeWrites } from './writes.ts';

const className = 'local';
const fileName = 'accounts.txt';
const namespaces = ['prod', 'stage'];
const contents = 'What the database wrote before it moved.\n';

/** Shows what Longshore does, on real objects of a real cluster. */
export class Tour {
  private readonly client: ClusterClient;
  private readonly local: LocalStack;
  private readonly say: (text: string) => void;
  private readonly made: ClusterObject[] = [];
  private readonly requests: TransferRequest[] = [];
  private readonly sources: Claim[] = [];

  constructor(local: LocalStack, say: (text: string) => void) {
    this.client = new ClusterClient(local.controlPlane.kubeconfigPath);
    this.local = local;
    this.say = say;
  }

  async run(): Promise<void> {
    for (const name of namespaces) this.made.push(await this.client.createNamespace(name));
    this.made.push(await this.client.create(storageClass(className)));
    await this.moveClaim();
    await this.beRefused();
  }

  /** For a cluster that outlives the tour. Requests go first: what they have begun is taken back while Longshore runs. */
  async cleanUp(): Promise<void> {
    for (const request of this.requests) await this.client.delete(request);
    for (const source of this.sources) await this.client.untilGoneOr(source, (found) => fenceOf(found) === undefined);
    for (const object of this.made) await this.client.delete(object);
    for (const object of this.made) await this.client.untilGone(object);
  }

  private async moveClaim(): Promise<void> {
    const parts: TransferParts = {
      name: 'db1',
      source: { namespace: 'prod', name: 'db1-test' },
      target: { namespace: 'stage', name: 'db1-test' },
    };
    const made = await this.makeClaim('volume-db1', parts);
    const claims = [claim(parts.source, className), claim(parts.target, className)];
    this.say('\n1. A claim moves from namespace prod to namespace stage\n');
    this.say(await describeVolume(this.client, made.volume, claims));
    const request = await this.ask(parts);
    const waiting = await this.client.until(request, hasReason('ApprovalMissing'));
    this.say(`\nstage asks for it by StorageTransferRequest ${displayName(request.metadata)}, which says:\n`);
    this.say(describeConditions(waiting.status));
    const started = Date.now();
    const approval = await this.client.create(transferApproval(parts));
    this.say(`\nprod agrees by StorageTransferApproval ${displayName(approval.metadata)}, and:\n`);
    await Promise.all([request, approval].map((each) => this.client.until(each, isComplete)));
    const milliseconds = Date.now() - started;
    this.say(await describeWrites(this.local, [displayName(request.metadata), made.volume.metadata.name]));
    this.say(`\nComplete after ${milliseconds} ms. The volume is the same one, with its policy and its data:\n`);
    this.say(await describeVolume(this.client, made.volume, claims));
    const same = (await readFile(made.file, 'utf8')) === contents;
    if (!same) throw new Error(`${made.file} is not what it was`);
    this.say(`  ${fileName} on the volume is as it was`);
  }

  private async beRefused(): Promise<void> {
    const parts: TransferParts = {
      name: 'db2',
      source: { namespace: 'prod', name: 'db2-test' },
      target: { namespace: 'stage', name: 'db2-test' },
    };
    const made = await this.makeClaim('volume-db2', parts);
    const occupant = claim(parts.target, className);
    await this.client.create(occupant);
    this.say('\n2. A transfer that cannot be made: stage has a claim of that name already\n');
    await this.client.create(transferApproval(parts));
    const request = await this.ask(parts);
    const refused = await this.client.until(request, hasReason('TargetExists'));
    this.say(describeConditions(refused.status));
    const [event] = (await this.client.eventsAbout(request)).slice(-1);
    this.say(`\nand as an event: ${event?.type} ${event?.reason}. Nothing has been moved:\n`);
    this.say(await describeVolume(this.client, made.volume, [claim(parts.source, className), occupant]));
  }

  private async ask(parts: TransferParts): Promise<TransferRequest> {
    const request = await this.client.create(transferRequest(parts));
    this.requests.push(request);
    return request;
  }

  /** A bound claim with a file on its volume. */
  private async makeClaim(name: string, { source }: TransferParts): Promise<{ volume: Volume; file: string }> {
    // The folder goes when the local AWS goes, however this process ends.
    const path = join(this.local.localAws.folder, 'volumes', name);
    const file = join(path, fileName);
    await mkdir(path, { recursive: true });
    await writeFile(file, contents);
    const made = await this.client.create(volume({ name, className, path, claim: source }));
    this.made.push(made);
    const bound = await this.client.create(claim(source, className));
    this.sources.push(bound);
    await this.client.until<Claim>(bound, ({ status }) => status?.phase === 'Bound');
    return { volume: made, file };
  }
}

type WithStatus = Pick<TransferRequest, 'status'>;

function hasReason(reason: string) {
  return ({ status }: WithStatus) => status?.conditions?.some((condition) => condition.reason === reason) ?? false;
}

function isComplete({ status }: WithStatus): boolean {
  return status?.complete === true;
}
