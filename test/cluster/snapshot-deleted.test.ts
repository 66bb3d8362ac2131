import { beforeAll, describe, test } from '@jest/globals';
import type { Claim, Volume } from '../../lib/kubernetes/objects.ts';
import { provisionedClass } from '../../tools/csi-stand-in/objects.ts';
import { ask, grantFor, makeSource } from './case-snapshot-sources.ts';
import { expectRestored, expectUnharmed, untilClean, untilSaid } from './case-snapshot-waits.ts';
import { begin, classWithListSecret, provisionUnseen } from './case-snapshot-work.ts';
import { driver, runSnapshots, volumeOf } from './case-snapshots.ts';

const secretive = 'secretive.csi.test';
const policies = ['Delete', 'Retain'] as const;
const cluster = runSnapshots({ drivers: [{ name: driver }, { name: secretive, demandsListSecret: true }] });
const client = () => cluster.parts().client;
const standIn = () => cluster.parts().standIn;
const classOf = (policy: string) => `of-${policy.toLowerCase()}`;

beforeAll(async () => {
  await client().create(classWithListSecret(secretive));
  for (const policy of policies) await client().create(provisionedClass({ name: classOf(policy), driver, policy }));
});

async function give(claim: Claim): Promise<void> {
  await client().delete(claim);
  await client().untilGone(claim);
}

/** The claim goes at once, without anybody's leave. */
async function giveByForce(claim: Claim): Promise<void> {
  await client().change(claim, { metadata: { finalizers: [] } });
  await client().delete(claim);
  await client()
    .change(claim, { metadata: { finalizers: [] } })
    .catch(() => {});
  await client().untilGone(claim);
}

describe('a claim that is deleted', () => {
  test('while nothing is granted goes at once', async () => {
    const source = await makeSource(cluster);
    const claim = await ask(cluster, source);
    await untilSaid(client(), claim, 'NotGranted');
    await give(claim);
    await untilClean(cluster, claim);
  });

  test.each([
    ['in the ordinary way', give],
    ['by force', giveByForce],
  ])('while its copied snapshot is not ready leaves nothing: %s', async (_, act) => {
    const source = await makeSource(cluster, { className: secretive, snapshotClassName: 'secret' });
    await client().create(grantFor(source));
    const claim = await ask(cluster, source, { className: secretive });
    await untilSaid(client(), claim, 'CopyNotReady');
    await act(claim);
    // By force, the next list brings it up.
    if (act === giveByForce) await cluster.resync();
    await untilClean(cluster, claim);
    await expectUnharmed(cluster, source, secretive);
  });

  test('while its driver is at work leaves nothing', async () => {
    const { source, claim } = await begin(cluster);
    await give(claim);
    await untilClean(cluster, claim);
    standIn().hanging(driver, false);
    await untilClean(cluster, claim);
    await expectUnharmed(cluster, source);
  });

  test.each(policies)('when its driver is done leaves nothing, also where the class says %s', async (policy) => {
    const { source, claim } = await begin(cluster, { className: classOf(policy) });
    await provisionUnseen(cluster, claim, () => client().delete(claim));
    await client().untilGone(claim);
    await untilClean(cluster, claim);
    await expectUnharmed(cluster, source);
  });

  test.each(policies)('by force, when its driver is done, leaves nothing where the class says %s', async (policy) => {
    const { source, claim } = await begin(cluster, { className: classOf(policy) });
    await provisionUnseen(cluster, claim, () => giveByForce(claim));
    await untilClean(cluster, claim);
    await expectUnharmed(cluster, source);
  });

  test('by force, while its driver is at work, leaves nothing after the next list', async () => {
    const { source, claim } = await begin(cluster);
    await giveByForce(claim);
    await cluster.resync();
    await untilClean(cluster, claim);
    standIn().hanging(driver, false);
    await expectUnharmed(cluster, source);
  });

  test.each(policies)('after all that, has its volume go or stay as the class says: %s', async (policy) => {
    const { source, claim } = await begin(cluster, { className: classOf(policy) });
    standIn().hanging(driver, false);
    await expectRestored(cluster, source, claim);
    const volume = await volumeOf(client(), claim);
    await give(claim);
    if (policy === 'Retain') {
      await client().until<Volume>(volume, ({ status }) => status?.phase === 'Released');
      await client().change(volume, { spec: { persistentVolumeReclaimPolicy: 'Delete' } });
    }
    await client().untilGone(volume);
    await expectUnharmed(cluster, source);
  });

  test('and made anew under its name is populated, and has nothing to do with the copies of the first', async () => {
    const { source, claim } = await begin(cluster);
    let again: Claim | undefined;
    await provisionUnseen(cluster, claim, async () => {
      await giveByForce(claim);
      again = await ask(cluster, source);
    });
    await expectRestored(cluster, source, again as Claim);
    await untilClean(cluster, claim);
  });
});
