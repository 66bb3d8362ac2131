import { describe, expect, test } from '@jest/globals';
import { finalizer } from '../../lib/capabilities/data-sources/names.ts';
import type { Claim, Volume } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { namespaceOf } from './case-objects.ts';
import { grantFor, linkTo } from './case-snapshot-sources.ts';
import { copiesOf, expectRestored, expectUnharmed, untilClean, untilSaid } from './case-snapshot-waits.ts';
import { begin, provisionUnseen } from './case-snapshot-work.ts';
import { driver, runSnapshots, volumeOf } from './case-snapshots.ts';

const policies = ['Delete', 'Retain'] as const;
const cluster = runSnapshots();
const client = () => cluster.parts().client;
const standIn = () => cluster.parts().standIn;

async function give(claim: Claim): Promise<void> {
  await client().delete(claim);
  await client().untilGone(claim);
}

test('a finalizer that is taken off midway is put on again before there is a volume', async () => {
  const { source, claim } = await begin(cluster);
  await client().change(claim, { metadata: { finalizers: [] } });
  await cluster.resync();
  await client().until<Claim>(claim, ({ metadata }) => metadata.finalizers?.includes(finalizer) === true);
  standIn().hanging(driver, false);
  await expectRestored(cluster, source, claim);
});

test('a link that is deleted midway takes everything back, and is waited for', async () => {
  const { source, claim } = await begin(cluster);
  await client().delete(linkTo(source, {}));
  await untilSaid(client(), claim, 'LinkMissing');
  await untilClean(cluster, claim);
  await client().create(linkTo(source, { namespace: source.prod }));
  standIn().hanging(driver, false);
  await expectRestored(cluster, source, claim);
});

describe('an administrator who deletes midway', () => {
  test.each(['prime', 'snapshot', 'content'] as const)('the %s that Longshore made stops nothing', async (which) => {
    const { source, claim } = await begin(cluster);
    await client().delete(copiesOf(claim)[which]);
    standIn().hanging(driver, false);
    await cluster.resync();
    await expectRestored(cluster, source, claim);
    await expectUnharmed(cluster, source);
  });

  test.each(['snapshot', 'content'] as const)('the %s, when the driver is done, stops nothing', async (which) => {
    const { source, claim } = await begin(cluster);
    await provisionUnseen(cluster, claim, () => client().delete(copiesOf(claim)[which]));
    await expectRestored(cluster, source, claim);
    await expectUnharmed(cluster, source);
  });
});

test.each(policies)('a volume that comes when its prime claim is gone goes, also where it says %s', async (policy) => {
  const { source, claim } = await begin(cluster);
  const prime = await client().until<Claim>(copiesOf(claim).prime);
  await give(claim);
  await untilClean(cluster, claim);
  const like = await volumeOf(client(), source.claim);
  const { name, namespace, uid } = prime.metadata;
  const { apiVersion, kind } = resources.claim;
  const claimRef = { apiVersion, kind, name, namespace, uid };
  const csi = { driver, volumeHandle: `volume-${uid}` };
  const annotations = { 'pv.kubernetes.io/provisioned-by': driver };
  const spec = { ...like.spec, claimRef, csi, persistentVolumeReclaimPolicy: policy } as Volume['spec'];
  const late = { ...like, metadata: { name: `pvc-${uid}`, annotations }, spec, status: {} };
  await client().create(late);
  await client().untilGone(late);
});

describe('a namespace that is deleted midway', () => {
  // Its controller looks at it again only seconds later, so its own end is not waited for.
  test('is not held up by the claim in it, and all that was made for that goes', async () => {
    const { source, claim } = await begin(cluster);
    await client().delete(namespaceOf(claim));
    await client().untilGone(claim);
    await untilClean(cluster, claim);
    standIn().hanging(driver, false);
    await expectUnharmed(cluster, source);
  });

  test('takes its snapshot and its grants with it, and nothing is given away any more', async () => {
    const { source, claim } = await begin(cluster);
    await client().delete(namespaceOf(source.snapshot));
    await client().untilGone(grantFor(source));
    await untilSaid(client(), claim, 'NotGranted');
    standIn().hanging(driver, false);
    await untilClean(cluster, claim);
    expect((await client().until<Claim>(claim)).spec.volumeName).toBeUndefined();
  });
});
