import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packCommand } from '../../deployment/package/package.ts';
import type { VolumeSnapshot } from '../../lib/capabilities/data-sources/objects.ts';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { findKubectl } from '../../tools/control-plane/binaries.ts';
import { startControlPlane } from '../../tools/control-plane/control-plane.ts';
import { emptyClaim, provisionedClass, snapshotClass, snapshotOf } from '../../tools/csi-stand-in/objects.ts';
import { startCsiStandIn } from '../../tools/csi-stand-in/stand-in.ts';
import { ClusterClient } from '../../tools/local/cluster-client.ts';
import { startLocalAws } from '../../tools/local-aws/local-aws.ts';
import type { Surroundings } from './person.ts';

const driver = 'csi.example.com';
const className = 'standard';

/** What is there before anybody has heard of Longshore: a packed file, a cluster with a CSI driver, and a store. */
export interface Site extends Surroundings, AsyncDisposable {
  version: string;
  packedFile: string;
  packedKilobytes: number;
  /** The namespace whose claim and snapshot are wanted, and the one that wants them. */
  owner: string;
  user: string;
  claim: string;
  snapshot: string;
}

export async function openSite(progress: (line: string) => void): Promise<Site> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'longshore-packed-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const { filename, bytes } = await packCommand(folder);
  const controlPlane = await startControlPlane({ progress, own: true });
  opened.defer(() => controlPlane.stop());
  const { kubeconfigPath, version } = controlPlane;
  const standIn = await startCsiStandIn(kubeconfigPath, { drivers: [{ name: driver }] });
  opened.defer(() => standIn.stop());
  const localAws = await startLocalAws({ progress });
  opened.defer(() => localAws.stop());
  const names = { owner: 'prod', user: 'stage', claim: 'data', snapshot: 'backup' };
  await prepare(new ClusterClient(kubeconfigPath), names);
  const kept = opened.move();
  return {
    ...names,
    version,
    kubeconfigPath,
    kubectlPath: await findKubectl(),
    environment: localAws.environment,
    packedFile: join(folder, filename),
    packedKilobytes: Math.round(bytes / 1_000),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

type Names = Pick<Site, 'owner' | 'user' | 'claim' | 'snapshot'>;

async function prepare(client: ClusterClient, { owner, user, claim, snapshot }: Names): Promise<void> {
  for (const namespace of [owner, user]) await client.createNamespace(namespace);
  const standard = provisionedClass({ name: className, driver });
  const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  await client.create({ ...standard, metadata: { ...standard.metadata, annotations } });
  await client.create(snapshotClass({ name: className, driver, isDefault: true }));
  const source = emptyClaim({ namespace: owner, name: claim, className });
  await client.create(source);
  await client.until<Claim>(source, ({ status }) => status?.phase === 'Bound');
  const taken = snapshotOf(source, snapshot, className);
  await client.create(taken);
  await client.until<VolumeSnapshot>(taken, ({ status }) => status?.readyToUse === true);
}
