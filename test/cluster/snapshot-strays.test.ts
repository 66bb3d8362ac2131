import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { finalizer } from '../../lib/capabilities/data-sources/names.ts';
import type { Claim, Volume } from '../../lib/kubernetes/objects.ts';
import { ask, grantFor, makeSource } from './case-snapshot-sources.ts';
import { makeFree, makeFreeNow } from './case-snapshot-strays.ts';
import { copiesOf, expectRestored, expectUnharmed, untilClean, untilFree, untilSaid } from './case-snapshot-waits.ts';
import { driver, runSnapshots } from './case-snapshots.ts';

const cluster = runSnapshots();
const client = () => cluster.parts().client;
const standIn = () => cluster.parts().standIn;

async function expectGivenBack(claim: Claim, volume: Volume): Promise<void> {
  const { status, message } = await untilSaid(client(), claim, 'OtherVolumeMatches');
  expect([status, message]).toEqual(['False', expect.stringContaining(`volume ${volume.metadata.name} of class`)]);
  await untilFree(client(), volume);
  await untilClean(cluster, claim);
  const { spec, metadata } = await client().until<Claim>(claim);
  expect([spec.volumeName, metadata.finalizers ?? []]).toEqual([undefined, expect.not.arrayContaining([finalizer])]);
  expect(readFileSync(join(standIn().directoryOf(volume), 'file'), 'utf8')).toBe("somebody else's");
}

describe.each([
  { policy: 'Delete', wasProvisioned: false },
  { policy: 'Retain', wasProvisioned: false },
  { policy: 'Delete', wasProvisioned: true },
  { policy: 'Retain', wasProvisioned: true },
] as const)('a free volume: %j', (parts) => {
  test('that the prime claim is bound to is given back, and never taken for the data', async () => {
    const source = await makeSource(cluster);
    await client().create(grantFor(source));
    const { className, volume } = await makeFreeNow(cluster, parts);
    const claim = await ask(cluster, source, { className });
    await expectGivenBack(claim, volume);
    // It stays so: another attempt would take it once more.
    await cluster.resync();
    await expectGivenBack(claim, volume);
    await client().delete(claim);
    await client().untilGone(claim);
    await expectUnharmed(cluster, source);
  });
});

test('a claim that is made anew is populated when the free volume is gone', async () => {
  const source = await makeSource(cluster);
  await client().create(grantFor(source));
  const { className, volume } = await makeFreeNow(cluster, { policy: 'Delete', wasProvisioned: false });
  const claim = await ask(cluster, source, { className });
  await expectGivenBack(claim, volume);
  await client().delete(claim);
  await client().untilGone(claim);
  await client().delete(volume);
  await client().untilGone(volume);
  rmSync(standIn().directoryOf(volume), { recursive: true, force: true });
  await expectRestored(cluster, source, await ask(cluster, source, { className }));
});

test.each(['Delete', 'Retain'] as const)(
  'a volume that comes to be free while the driver is at work: %s',
  async (policy) => {
    const source = await makeSource(cluster);
    await client().create(grantFor(source));
    const { className, volume } = await makeFree(cluster, { policy, wasProvisioned: false });
    standIn().hanging(driver, true);
    const claim = await ask(cluster, source, { className });
    const { prime } = copiesOf(claim);
    await client().until(prime);
    await client().create(volume);
    await client().until<Volume>(volume, ({ status }) => status?.phase === 'Available');
    // The volume controller looks at the claim again when it changes. It may have done so by itself, and the claim be gone.
    const looking = client().annotate(prime, { 'example.com/look': 'again' });
    await looking.catch(async (error: unknown) => {
      if (await client().get(prime)) throw error;
    });
    await expectGivenBack(claim, volume);
  },
);
