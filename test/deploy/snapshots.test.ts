import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { copyNameOf, finalizer, systemNamespace } from '../../lib/capabilities/data-sources/names.ts';
import { populatedConditionOf } from '../../lib/capabilities/data-sources/populated.ts';
import type { Claim, ClusterObject, Volume } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { Directories } from '../../tools/csi-stand-in/directories.ts';
import { handleOf, type Snapshot } from '../../tools/csi-stand-in/kinds.ts';
import {
  claimFrom,
  emptyClaim,
  provisionedClass,
  snapshotClass,
  snapshotOf,
} from '../../tools/csi-stand-in/objects.ts';
import { untilLogged } from '../../tools/local/function-logs.ts';
import { driverName } from '../../tools/local/local-driver.ts';
import { clusterName } from '../../tools/local/local-stack.ts';
import { claimAcross, claimByLink, link, snapshotGrant } from '../../tools/local/snapshot-objects.ts';
import { ClusterClient } from '../support/cluster-client.ts';
import { deployedStack, nameOfFunction } from '../support/deployed-stack.ts';

const deployed = deployedStack();
const { folder, lacking } = deployed.snapshots;
const client = new ClusterClient(deployed.kubeconfigPath);
/** On a cluster that was given and has no snapshots there is nothing to see. */
const testSnapshots = lacking ? test.skip : test;

const suffix = randomBytes(4).toString('hex');
const [prod, stage, className] = [`prod-${suffix}`, `stage-${suffix}`, `class-${suffix}`];
const source = emptyClaim({ namespace: prod, name: 'data', className });
const snapshot = snapshotOf(source, 'backup', className);
const bytes = randomBytes(10_000);

beforeAll(async () => {
  if (lacking) return;
  await client.create(provisionedClass({ name: className, driver: driverName }));
  await client.create(snapshotClass({ name: className, driver: driverName }));
  await Promise.all([prod, stage].map((name) => client.createNamespace(name)));
  const bound = await client.until<Claim>(await client.create(source), ({ status }) => status?.phase === 'Bound');
  writeFileSync(await fileOf(bound), bytes);
  await client.create(snapshot);
  await client.until<Snapshot>(snapshot, ({ status }) => status?.readyToUse === true);
});

afterAll(() => {
  deployed.sqs.destroy();
  deployed.lambda.destroy();
});

testSnapshots('a claim by a link gets its bytes from another namespace, and nothing is left of the work', async () => {
  await client.create(link({ namespace: stage, name: 'backup' }, { namespace: prod, name: 'backup' }));
  const asked = await client.create(claimByLink('backup', { namespace: stage, name: 'by-link', className }));
  await untilSaid(asked, 'NotGranted');
  await client.create(snapshotGrant({ namespace: prod, name: 'to-stage' }, stage, 'backup'));
  const populated = await untilSaid(asked, 'Populated');
  expect(populatedConditionOf(populated)?.status).toBe('True');
  expect(populated.status?.phase).toBe('Bound');
  expect(readFileSync(await fileOf(populated))).toEqual(bytes);
  await expectNothingLeft(populated);
  const lines = await untilLogged(deployed.localAws, [nameOfFunction(deployed, 'populate-claim')], (found) =>
    found.some(isCountOf('provision_total', 'VolumeSnapshotLink')),
  );
  const dimensions = { Cluster: clusterName, StorageClass: className };
  expect(lines.find(isCountOf('provision_total', 'VolumeSnapshotLink'))).toMatchObject(dimensions);
  expect(lines.find(isCountOf('provision_failed_total', 'VolumeSnapshotLink'))).toMatchObject(dimensions);
});

testSnapshots('a claim that names the namespace itself gets the same bytes', async () => {
  await client.create(snapshotGrant({ namespace: prod, name: 'to-stage-as-well' }, stage));
  const place = { namespace: prod, name: 'backup' };
  const asked = await client.create(claimAcross(place, { namespace: stage, name: 'by-field', className }));
  const populated = await untilSaid(asked, 'Populated');
  expect(readFileSync(await fileOf(populated))).toEqual(bytes);
  await expectNothingLeft(populated);
});

testSnapshots('a claim that its provisioner restores in the same namespace says so', async () => {
  const asked = await client.create(claimFrom(snapshot, { namespace: prod, name: 'again', className }));
  const restored = await untilSaid(asked, 'Restored');
  expect(populatedConditionOf(restored)?.status).toBe('True');
  expect(readFileSync(await fileOf(restored))).toEqual(bytes);
});

/** The claims whose volumes are on the disk. */
const withVolumes = new Set<Claim>();

function untilSaid(claim: Claim, reason: string): Promise<Claim> {
  return client.until<Claim>(claim, (found) => populatedConditionOf(found)?.reason === reason);
}

async function expectNothingLeft(claim: Claim): Promise<void> {
  const at = ({ apiVersion, kind }: Resource, namespace?: string) =>
    ({ apiVersion, kind, metadata: { name: copyNameOf(claim), ...(namespace ? { namespace } : {}) } }) as ClusterObject;
  await client.untilGone(at(resources.claim, systemNamespace));
  await client.untilGone(at(resources.snapshot, systemNamespace));
  await client.untilGone(at(resources.snapshotContent));
  const free = await client.until<Claim>(claim, ({ metadata }) => !metadata.finalizers?.includes(finalizer));
  const { spec } = await volumeOf(free);
  expect(spec.claimRef?.uid).toBe(claim.metadata.uid);
  expect(spec.persistentVolumeReclaimPolicy).toBe('Delete');
  const onDisk = (part: string) => readdirSync(join(folder ?? '', driverName, part));
  expect(onDisk('snapshots')).toHaveLength(1);
  const volumes = await Promise.all([...withVolumes].map(volumeOf));
  expect(onDisk('volumes').sort()).toEqual(volumes.map(handleOf).sort());
}

async function fileOf(claim: Claim): Promise<string> {
  withVolumes.add(claim);
  const disk = new Directories(join(folder ?? '', driverName));
  return join(disk.pathOf(handleOf(await volumeOf(claim)) ?? ''), 'file');
}

function volumeOf({ spec }: Claim): Promise<Volume> {
  const { apiVersion, kind } = resources.volume;
  return client.until({ apiVersion, kind, metadata: { name: spec.volumeName ?? '' } } as Volume);
}

/** CloudWatch makes a metric of such a line by itself. */
function isCountOf(name: string, kind: string) {
  const counted = `cross_namespace_persistentvolumeclaim_${name}`;
  return (line: object): boolean =>
    '_aws' in line && counted in line && 'SourceKind' in line && line.SourceKind === kind;
}
