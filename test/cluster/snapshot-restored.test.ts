import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { snapshotOf } from '../../tools/csi-stand-in/objects.ts';
import { ask, type Source } from './case-snapshot-sources.ts';
import { expectRestored, expectUnharmed, untilClean, untilSaid } from './case-snapshot-waits.ts';
import { begin, makeGranted, provisionUnseen } from './case-snapshot-work.ts';
import { driver, runSnapshots, untilReady, volumeOf } from './case-snapshots.ts';

const cluster = runSnapshots();
const client = () => cluster.parts().client;
const standIn = () => cluster.parts().standIn;

/** Other bytes in the claim that snapshots are taken of. */
async function withOtherBytes(source: Source): Promise<Source> {
  const bytes = Buffer.from(source.bytes).reverse();
  writeFileSync(join(standIn().directoryOf(await volumeOf(client(), source.claim)), 'file'), bytes);
  return { ...source, bytes };
}

describe('a snapshot that goes midway', () => {
  test('takes everything with it, and the next of its name is restored', async () => {
    const { source, claim } = await begin(cluster);
    await client().delete(source.snapshot);
    await untilSaid(client(), claim, 'SnapshotMissing');
    await untilClean(cluster, claim);
    standIn().hanging(driver, false);
    const changed = await withOtherBytes(source);
    await client().create(snapshotOf(source.claim, 'backup', driver));
    await expectRestored(cluster, changed, claim);
  });

  test('and is another one when anybody looks is not restored: that other one is', async () => {
    const { source, claim } = await begin(cluster);
    const changed = await withOtherBytes(source);
    await provisionUnseen(cluster, claim, async () => {
      await client().delete(source.snapshot);
      await client().untilGone(source.snapshot);
      await untilReady(client(), await client().create(snapshotOf(source.claim, 'backup', driver)));
    });
    await expectRestored(cluster, changed, claim);
    await untilSaid(client(), claim, 'Populated');
  });
});

describe('a claim is given', () => {
  test('as much as it asks for, where that is more than the snapshot has', async () => {
    const source = await makeGranted(cluster);
    const claim = await ask(cluster, source, { storage: '3Gi' });
    await expectRestored(cluster, source, claim);
    expect((await volumeOf(client(), claim)).spec.capacity).toEqual({ storage: '3Gi' });
  });

  test('a volume of mode Block from such a snapshot', async () => {
    const source = await makeGranted(cluster, { volumeMode: 'Block' });
    const claim = await ask(cluster, source, { volumeMode: 'Block' });
    await expectRestored(cluster, source, claim);
    expect((await volumeOf(client(), claim)).spec.volumeMode).toBe('Block');
  });

  test('a volume of its own, when many are made from one snapshot at once', async () => {
    const source = await makeGranted(cluster);
    const names = ['one', 'two', 'three', 'four'];
    const claims = await Promise.all(names.map((name) => ask(cluster, source, { name, way: 'field' })));
    for (const claim of claims) await expectRestored(cluster, source, claim);
    const volumes = await Promise.all(claims.map((claim) => volumeOf(client(), claim)));
    expect(new Set(volumes.map((volume) => standIn().directoryOf(volume))).size).toBe(claims.length);
    await expectUnharmed(cluster, source);
  });
});
