import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Claim, Volume } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import type { Content, Snapshot } from '../../tools/csi-stand-in/kinds.ts';
import {
  claimFrom,
  emptyClaim,
  provisionedClass,
  snapshotClass,
  snapshotFrom,
  snapshotOf,
  staticContent,
} from '../../tools/csi-stand-in/objects.ts';
import { type CsiStandIn, startCsiStandIn } from '../../tools/csi-stand-in/stand-in.ts';
import type { ClusterClient } from '../support/cluster-client.ts';
import { ownControlPlane } from './case-control-plane.ts';
import { untilBound, untilEvents } from './case-waits.ts';

const driver = 'hostpath.csi.longshore.dev';
const unlisted = 'unlisted.csi.longshore.dev';
const { kubeconfig, client: clientOf } = ownControlPlane();
let client: ClusterClient;
let standIn: CsiStandIn;
let namespaces = 0;

beforeAll(async () => {
  client = clientOf();
  const drivers = [{ name: driver }, { name: unlisted, listsSnapshots: false }];
  standIn = await startCsiStandIn(kubeconfig(), { drivers, retryMs: 100 });
  for (const name of [driver, unlisted]) {
    await client.create(provisionedClass({ name, driver: name }));
    await client.create(snapshotClass({ name, driver: name }));
  }
  await client.create(provisionedClass({ name: 'late', driver, binding: 'WaitForFirstConsumer' }));
});

afterAll(() => standIn?.stop());

async function newNamespace(): Promise<string> {
  namespaces += 1;
  const name = `data-${namespaces}`;
  await client.createNamespace(name);
  return name;
}

async function volumeOf(claim: Claim): Promise<Volume> {
  const { spec } = await untilBound(client, claim);
  const { apiVersion, kind } = resources.volume;
  return client.until<Volume>({ apiVersion, kind, metadata: { name: spec.volumeName ?? '' } } as Volume);
}

async function fileIn(claim: Claim): Promise<string> {
  return join(standIn.directoryOf(await volumeOf(claim)), 'file');
}

/** What was written into the volume of a claim, byte by byte. */
async function bytesIn(claim: Claim): Promise<Buffer> {
  return readFileSync(await fileIn(claim));
}

const bytes = Buffer.from([0, 1, 2, 253, 254, 255]);

async function claimWithData(className = driver): Promise<Claim> {
  const namespace = await newNamespace();
  const claim = await client.create(emptyClaim({ namespace, name: 'data', className, storage: '2Gi' }));
  writeFileSync(await fileIn(claim), bytes);
  return claim;
}

function untilReady(snapshot: Snapshot): Promise<Snapshot> {
  return client.until<Snapshot>(snapshot, ({ status }) => status?.readyToUse === true);
}

async function snapshotWithContent(claim: Claim): Promise<{ snapshot: Snapshot; content: Content; handle: string }> {
  const className = claim.spec.storageClassName ?? '';
  const snapshot = await untilReady(await client.create(snapshotOf(claim, 'taken', className)));
  const { apiVersion, kind } = resources.snapshotContent;
  const name = snapshot.status?.boundVolumeSnapshotContentName ?? '';
  const content = await client.until<Content>({ apiVersion, kind, metadata: { name } } as Content);
  return { snapshot, content, handle: content.status?.snapshotHandle ?? '' };
}

const parts = (namespace: string, name: string, className = driver) => {
  return { namespace, name, className, storage: '2Gi' };
};

/** A snapshot in a namespace of its own that stands for what another one stands for. */
async function copyOf(content: Content, handle: string) {
  const namespace = await newNamespace();
  const place = { namespace, name: 'copy' };
  const copied = staticContent({ name: `copy-${namespace}`, driver: content.spec.driver, handle, snapshot: place });
  await client.create(copied);
  const snapshot = await untilReady(await client.create(snapshotFrom(copied)));
  return { namespace, content: copied, snapshot };
}

describe('the stand-in for a CSI driver beside a real control plane', () => {
  test('restores a snapshot in its namespace', async () => {
    const source = await claimWithData();
    const { snapshot } = await snapshotWithContent(source);
    expect(snapshot.status?.restoreSize).toBe('2Gi');
    const claim = await client.create(claimFrom(snapshot, parts(source.metadata.namespace ?? '', 'restored')));
    await untilBound(client, claim);
    expect(await bytesIn(claim)).toEqual(bytes);
    await untilEvents(client, claim, 'Provisioning', 'ProvisioningSucceeded');
  });

  test('clones a claim', async () => {
    const source = await claimWithData();
    const clone = await client.create(claimFrom(source, parts(source.metadata.namespace ?? '', 'clone')));
    expect(await bytesIn(clone)).toEqual(bytes);
    await client.delete(source);
    await client.untilGone(source);
    expect(await bytesIn(clone)).toEqual(bytes);
  });

  test.each([driver, unlisted])('restores elsewhere from a content with the same handle: %s', async (className) => {
    const { content, handle } = await snapshotWithContent(await claimWithData(className));
    const copy = await copyOf(content, handle);
    expect(copy.snapshot.status?.restoreSize).toBe(className === driver ? '2Gi' : undefined);
    const claim = await client.create(claimFrom(copy.snapshot, parts(copy.namespace, 'restored', className)));
    expect(await bytesIn(claim)).toEqual(bytes);
  });

  test.each([
    ['content', 'snapshot', 'claim'],
    ['content', 'claim', 'snapshot'],
    ['snapshot', 'content', 'claim'],
    ['snapshot', 'claim', 'content'],
    ['claim', 'content', 'snapshot'],
    ['claim', 'snapshot', 'content'],
  ] as const)('leaves nothing of a copy, and the source unharmed, when %s, %s and %s go', async (...order) => {
    const source = await claimWithData();
    const { content, handle, snapshot } = await snapshotWithContent(source);
    const copy = await copyOf(content, handle);
    const claim = await client.create(claimFrom(copy.snapshot, parts(copy.namespace, 'restored')));
    const volume = await volumeOf(claim);
    const directory = standIn.directoryOf(volume);
    for (const one of order) await client.delete({ content: copy.content, snapshot: copy.snapshot, claim }[one]);
    for (const object of [copy.content, copy.snapshot, claim, volume]) await client.untilGone(object);
    expect(existsSync(directory)).toBe(false);
    expect(await bytesIn(source)).toEqual(bytes);
    expect(existsSync(standIn.snapshotDirectoryOf(driver, handle))).toBe(true);
    await client.delete(snapshot);
    for (const object of [snapshot, content]) await client.untilGone(object);
    expect(existsSync(standIn.snapshotDirectoryOf(driver, handle))).toBe(false);
  });

  test('leaves an unknown kind to somebody else, and says so', async () => {
    const namespace = await newNamespace();
    const source = { apiGroup: 'example.com', kind: 'Unknown', name: 'any' };
    const claim = await client.create(claimFrom(source, parts(namespace, 'data')));
    await untilEvents(client, claim, 'Provisioning');
    const said = await client.eventsAbout(claim);
    expect(said.filter(({ type }) => type === 'Warning')).toEqual([]);
    expect((await client.until<Claim>(claim)).status?.phase).toBe('Pending');
  });

  test('waits for the node of the first consumer', async () => {
    const namespace = await newNamespace();
    const claim = await client.create(emptyClaim({ namespace, name: 'data', className: 'late' }));
    await untilEvents(client, claim, 'WaitForFirstConsumer');
    expect((await client.until<Claim>(claim)).spec.volumeName).toBeUndefined();
    await client.annotate(claim, { 'volume.kubernetes.io/selected-node': 'node' });
    await untilBound(client, claim);
  });

  test('refuses to restore into less than the snapshot needs', async () => {
    const source = await claimWithData();
    const { snapshot } = await snapshotWithContent(source);
    const small = { ...parts(source.metadata.namespace ?? '', 'small'), storage: '1Gi' };
    const claim = await client.create(claimFrom(snapshot, small));
    await untilEvents(client, claim, 'ProvisioningFailed');
    expect((await client.until<Claim>(claim)).status?.phase).toBe('Pending');
  });

  test('fails and hangs as it is told, and goes on afterwards', async () => {
    const namespace = await newNamespace();
    standIn.failing(driver, true);
    const claim = await client.create(emptyClaim({ namespace, name: 'data', className: driver }));
    await untilEvents(client, claim, 'ProvisioningFailed');
    standIn.hanging(driver, true);
    standIn.failing(driver, false);
    expect((await client.until<Claim>(claim)).status?.phase).toBe('Pending');
    standIn.hanging(driver, false);
    await untilBound(client, claim);
  });

  test('goes on where it stopped, in a folder that was given', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'longshore-csi-test-'));
    const name = 'restarted.csi.longshore.dev';
    await client.create(provisionedClass({ name, driver: name }));
    const start = () => startCsiStandIn(kubeconfig(), { drivers: [{ name }], folder, retryMs: 100 });
    const first = await start();
    const claim = await client.create(emptyClaim({ namespace: await newNamespace(), name: 'data', className: name }));
    const volume = await volumeOf(claim);
    writeFileSync(join(first.directoryOf(volume), 'file'), bytes);
    await first.stop();
    await client.delete(claim);
    const second = await start();
    await client.untilGone(volume);
    expect(existsSync(second.directoryOf(volume))).toBe(false);
    await second.stop();
    expect(existsSync(folder)).toBe(true);
    rmSync(folder, { recursive: true });
  });

  test('removes its folder when it stops', async () => {
    const other = await startCsiStandIn(kubeconfig(), { drivers: [{ name: 'other.csi.longshore.dev' }] });
    expect(existsSync(other.folder)).toBe(true);
    await other.stop();
    expect(existsSync(other.folder)).toBe(false);
  });
});
