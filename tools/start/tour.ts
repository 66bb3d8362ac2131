import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Claim, TransferRequest, Volume } from '../../lib/cluster/objects.ts';
import { displayName } from '../../lib/cluster/resources.ts';
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
const contents = 'What the database wrote before it moved.\n';

/** Shows what Longshore does, on real objects of a real cluster. */
export class Tour {
  private readonly client: ClusterClient;
  private readonly local: LocalStack;
  private readonly say: (text: string) => void;

  constructor(local: LocalStack, say: (text: string) => void) {
    this.client = new ClusterClient(local.controlPlane.kubeconfigPath);
    this.local = local;
    this.say = say;
  }

  async run(): Promise<void> {
    await Promise.all(['prod', 'stage'].map((name) => this.client.createNamespace(name)));
    await this.client.create(storageClass(className));
    await this.moveClaim();
    await this.beRefused();
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
    const request = await this.client.create(transferRequest(parts));
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
    const request: TransferRequest = await this.client.create(transferRequest(parts));
    const refused = await this.client.until(request, hasReason('TargetExists'));
    this.say(describeConditions(refused.status));
    const [event] = (await this.client.eventsAbout(request)).slice(-1);
    this.say(`\nand as an event: ${event?.type} ${event?.reason}. Nothing has been moved:\n`);
    this.say(await describeVolume(this.client, made.volume, [claim(parts.source, className), occupant]));
  }

  /** A bound claim with a file on its volume. */
  private async makeClaim(name: string, { source }: TransferParts): Promise<{ volume: Volume; file: string }> {
    // The folder goes when the local AWS goes, however this process ends.
    const path = join(this.local.localAws.folder, 'volumes', name);
    const file = join(path, fileName);
    await mkdir(path, { recursive: true });
    await writeFile(file, contents);
    const made = await this.client.create(volume({ name, className, path, claim: source }));
    const bound = await this.client.create(claim(source, className));
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
