import { afterEach, expect, test } from '@jest/globals';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { ask, ways } from './case-snapshot-sources.ts';
import {
  copiesOf,
  expectNothingMade,
  expectRestored,
  expectUnharmed,
  untilClean,
  untilSaid,
} from './case-snapshot-waits.ts';
import { makeGranted } from './case-snapshot-work.ts';
import { driver, runSnapshots } from './case-snapshots.ts';

const cluster = runSnapshots();
const client = () => cluster.parts().client;
const standIn = () => cluster.parts().standIn;
const settings = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'longshore-system', name: 'longshore' },
};
afterEach(async () => {
  standIn().hanging(driver, false);
  await client().delete(settings);
});

async function turnOn(): Promise<void> {
  await client().delete(settings);
  await cluster.resync();
}

test.each(ways)(
  'claims that are made while snapshots are off are populated when they are on again: %s',
  async (way) => {
    await client().create({ ...settings, data: { snapshots: 'off' } });
    const source = await makeGranted(cluster);
    const claim = await ask(cluster, source, { way });
    const { status, message } = await untilSaid(client(), claim, 'SnapshotsOff');
    expect([status, message]).toEqual([
      'False',
      'snapshots is off in ConfigMap longshore-system/longshore: an administrator of the cluster can turn it on',
    ]);
    await expectNothingMade(cluster, claim);
    await turnOn();
    await expectRestored(cluster, source, claim);
  },
);

test('nothing begins while nobody can tell whether they are on', async () => {
  await client().create({ ...settings, data: { snapshots: 'no' } });
  const claim = await ask(cluster, await makeGranted(cluster));
  expect((await untilSaid(client(), claim, 'SnapshotsOff')).message).toContain('is "no" in ConfigMap');
  await expectNothingMade(cluster, claim);
});

test('what was begun waits while they are off, and goes on when they are on again', async () => {
  const source = await makeGranted(cluster);
  standIn().hanging(driver, true);
  const claim = await ask(cluster, source);
  await client().until(copiesOf(claim).prime);
  await client().create({ ...settings, data: { snapshots: 'off' } });
  await cluster.resync();
  await untilSaid(client(), claim, 'SnapshotsOff');
  standIn().hanging(driver, false);
  await client().until<Claim>(copiesOf(claim).prime, ({ status }) => status?.phase === 'Bound');
  expect((await client().until<Claim>(claim)).spec.volumeName).toBeUndefined();
  await turnOn();
  await expectRestored(cluster, source, claim);
  await expectUnharmed(cluster, source);
});

test('what was begun goes with its claim while they are off', async () => {
  const source = await makeGranted(cluster);
  standIn().hanging(driver, true);
  const claim = await ask(cluster, source);
  await client().until(copiesOf(claim).prime);
  await client().create({ ...settings, data: { snapshots: 'off' } });
  await client().delete(claim);
  await client().untilGone(claim);
  await untilClean(cluster, claim);
  standIn().hanging(driver, false);
  await expectUnharmed(cluster, source);
});

test('claims are populated while only DataPopulated of other claims is off', async () => {
  await client().create({ ...settings, data: { 'data-populated': 'off' } });
  const source = await makeGranted(cluster);
  await expectRestored(cluster, source, await ask(cluster, source));
});
