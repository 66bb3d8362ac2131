import { describe, expect, test } from '@jest/globals';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { nameOf, resources } from '../../lib/kubernetes/resources.ts';
import type { Content } from '../../tools/csi-stand-in/kinds.ts';
import { snapshotFrom, snapshotOf, staticContent } from '../../tools/csi-stand-in/objects.ts';
import { ask, grantFor, makeData, type Source } from './case-snapshot-sources.ts';
import { expectNothingMade, expectRestored, untilClean, untilSaid } from './case-snapshot-waits.ts';
import { makeGranted } from './case-snapshot-work.ts';
import { driver, runSnapshots, untilReady } from './case-snapshots.ts';

const other = 'other.csi.test';
const cluster = runSnapshots({ drivers: [{ name: driver }, { name: other }] });
const client = () => cluster.parts().client;
const standIn = () => cluster.parts().standIn;

async function contentOf({ snapshot }: Source): Promise<Content> {
  const { apiVersion, kind } = resources.snapshotContent;
  const name = (await untilReady(client(), snapshot)).status?.boundVolumeSnapshotContentName ?? '';
  return client().until<Content>({ apiVersion, kind, metadata: { name } } as Content);
}

async function expectWaiting(claim: Claim, reason: string, text: string): Promise<void> {
  const { status, message } = await untilSaid(client(), claim, reason);
  expect([status, message]).toEqual(['False', expect.stringContaining(text)]);
  await untilClean(cluster, claim);
  await expectNothingMade(cluster, claim);
}

describe('a claim waits for its snapshot', () => {
  test('until it is there', async () => {
    const source = await makeData(cluster);
    await client().create(grantFor(source));
    const claim = await ask(cluster, source);
    await expectWaiting(claim, 'SnapshotMissing', `VolumeSnapshot ${source.prod}/backup does not exist (yet)`);
    await client().create(source.snapshot);
    await expectRestored(cluster, source, claim);
  });

  test('until it is ready', async () => {
    const source = await makeData(cluster);
    standIn().uploading(driver, true);
    await client().create(source.snapshot);
    await client().create(grantFor(source));
    const claim = await ask(cluster, source);
    await expectWaiting(claim, 'SnapshotNotReady', `VolumeSnapshot ${source.prod}/backup`);
    standIn().uploading(driver, false);
    await expectRestored(cluster, source, claim);
  });

  test('until it is bound, and repeats what the snapshot controller says', async () => {
    const from = await makeGranted(cluster);
    const handle = (await contentOf(from)).status?.snapshotHandle ?? '';
    const place = { namespace: from.prod, name: 'late' };
    const content = staticContent({ name: `late-${from.prod}`, driver, handle, snapshot: place });
    await client().create(snapshotFrom(content));
    const { apiVersion, kind } = resources.snapshotLink;
    const spec = { source: place };
    await client().create({ apiVersion, kind, metadata: { namespace: from.test, name: 'link' }, ...{ spec } });
    const claim = await ask(cluster, from);
    await expectWaiting(claim, 'SnapshotNotReady', 'is not bound to a content');
    await client().create(content);
    await expectRestored(cluster, from, claim);
  });

  test('that is being deleted to be gone, and another one to be there', async () => {
    const source = await makeGranted(cluster);
    const finalizers = [...(source.snapshot.metadata.finalizers ?? []), 'example.com/hold'];
    await client().change(source.snapshot, { metadata: { finalizers } });
    await client().delete(source.snapshot);
    const claim = await ask(cluster, source);
    await expectWaiting(claim, 'SnapshotMissing', 'is being deleted');
    await client().change(source.snapshot, { metadata: { finalizers: [] } });
    await client().untilGone(source.snapshot);
    await client().create(snapshotOf(source.claim, 'backup', driver));
    await expectRestored(cluster, source, claim);
  });
});

describe('a claim that no volume can be made for', () => {
  test('since the snapshot is of another driver', async () => {
    const claim = await ask(cluster, await makeGranted(cluster, { className: other }));
    await expectWaiting(claim, 'OtherDriver', `the snapshot is of driver ${other}, but StorageClass ${driver} is of`);
  });

  test('since it asks for less than the snapshot needs', async () => {
    const claim = await ask(cluster, await makeGranted(cluster, { storage: '2Gi' }), { storage: '2147483647' });
    await expectWaiting(claim, 'ClaimTooSmall', 'requests 2147483647, but the snapshot needs 2Gi');
  });

  test('since it asks for another mode, until an administrator allows it', async () => {
    const source = await makeGranted(cluster, { volumeMode: 'Block' });
    const claim = await ask(cluster, source);
    await expectWaiting(claim, 'OtherVolumeMode', 'is of a volume of mode Block, but the claim requests Filesystem');
    await client().annotate(await contentOf(source), {
      'snapshot.storage.kubernetes.io/allow-volume-mode-change': 'true',
    });
    await cluster.resync();
    await expectRestored(cluster, source, claim);
  });

  test('since the content of the snapshot is that of another one, as only who writes its status can say', async () => {
    const [source, victim] = [await makeGranted(cluster), await makeGranted(cluster)];
    const content = await contentOf(victim);
    const { metadata } = await client().until(source.snapshot);
    await cluster.parts().admin.patch(
      nameOf(resources.snapshot, source.prod, 'backup'),
      { status: { boundVolumeSnapshotContentName: content.metadata.name, readyToUse: true } },
      {
        preconditions: { uid: metadata.uid ?? '', resourceVersion: metadata.resourceVersion ?? '' },
        subresource: 'status',
      },
    );
    await expectWaiting(await ask(cluster, source), 'SnapshotNotBound', 'do not name each other');
  });
});
