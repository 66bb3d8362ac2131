import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { confirmationAnnotation } from '../../lib/kubernetes/namespace-consent.ts';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { emptyClaim, snapshotOf } from '../../tools/csi-stand-in/objects.ts';
import { makeAnew } from './case-snapshot-namespaces.ts';
import { ask, grantFor, linkTo, makeSource, type Source, ways } from './case-snapshot-sources.ts';
import { copiesOf, expectNothingMade, expectRestored, untilClean, untilSaid } from './case-snapshot-waits.ts';
import { driver, runSnapshots, untilReady, volumeOf } from './case-snapshots.ts';

const cluster = runSnapshots();
const client = () => cluster.parts().client;
const standIn = () => cluster.parts().standIn;
const anybody = { annotations: { [confirmationAnnotation]: '*' } };

/** The owner of the new namespace takes a snapshot of the same name of data of their own. */
async function takeAnother({ prod, test: target }: Source): Promise<Source> {
  const claim = await client().create(emptyClaim({ namespace: prod, name: 'data', className: driver }));
  const bytes = randomBytes(500);
  writeFileSync(join(standIn().directoryOf(await volumeOf(client(), claim)), 'file'), bytes);
  const snapshot = await client().create(snapshotOf(claim, 'backup', driver));
  return { prod, test: target, claim, bytes, snapshot: await untilReady(client(), snapshot) };
}

describe.each(ways)('a grant that outlives the namespace that it names, for what is named by %s,', (way) => {
  test('is void for whoever has its name next, who is told so in the words of every claim without a grant', async () => {
    const source = await makeSource(cluster);
    const { uid } = (await makeAnew(client(), source.test)).metadata;
    const without = await ask(cluster, source, { way, name: 'without' });
    const { message } = await untilSaid(client(), without, 'NotGranted');
    expect(message).toContain(`${confirmationAnnotation}: ${uid}`);
    await client().create(grantFor(source));
    await expectRestored(cluster, source, without);
    await makeAnew(client(), source.test);
    const claim = await ask(cluster, source, { way });
    const said = await untilSaid(client(), claim, 'NotGranted');
    expect(said.message.replaceAll(/\(20[^)]*\)|[0-9a-f-]{36}/g, '')).toBe(
      message.replaceAll(/\(20[^)]*\)|[0-9a-f-]{36}/g, ''),
    );
    await expectNothingMade(cluster, claim);
  });

  test('counts again when its owner confirms it', async () => {
    const source = await makeSource(cluster);
    const grant = await client().create(grantFor(source));
    const { uid = '' } = (await makeAnew(client(), source.test)).metadata;
    const claim = await ask(cluster, source, { way });
    await untilSaid(client(), claim, 'NotGranted');
    await client().annotate(grant, { [confirmationAnnotation]: uid });
    await expectRestored(cluster, source, claim);
  });

  test('counts for each namespace of the name when it says so', async () => {
    const source = await makeSource(cluster);
    const grant = grantFor(source);
    await client().create({ ...grant, metadata: { ...grant.metadata, ...anybody } });
    await makeAnew(client(), source.test);
    await expectRestored(cluster, source, await ask(cluster, source, { way }));
  });
});

describe('a claim whose namespace is deleted and made anew while its volume is made', () => {
  test('takes all of that with it, and the claim of its name gets nothing of it', async () => {
    const source = await makeSource(cluster);
    await client().create(grantFor(source));
    standIn().hanging(driver, true);
    const claim = await ask(cluster, source);
    await client().until(copiesOf(claim).prime);
    await makeAnew(client(), source.test);
    const successor = await ask(cluster, source);
    standIn().hanging(driver, false);
    await untilSaid(client(), successor, 'NotGranted');
    await untilClean(cluster, claim);
    await expectNothingMade(cluster, successor);
  });

  test('and a finalizer of somebody else that holds it makes no difference to that', async () => {
    const source = await makeSource(cluster);
    await client().create(grantFor(source));
    standIn().hanging(driver, true);
    const claim = await ask(cluster, source);
    await client().until(copiesOf(claim).prime);
    const { finalizers = [] } = (await client().until<Claim>(claim)).metadata;
    await client().change(claim, { metadata: { finalizers: [...finalizers, 'example.com/hold'] } });
    await client().delete(claim);
    for (const copy of Object.values(copiesOf(claim))) await client().untilGone(copy);
    standIn().hanging(driver, false);
    await untilClean(cluster, claim);
    await client().change(claim, { metadata: { finalizers: [] } });
    await client().untilGone(claim);
  });
});

describe('where the namespace of a snapshot was made anew', () => {
  test.each(ways)(
    'what named the former one by %s asks for nothing of the new one until it is confirmed',
    async (way) => {
      const source = await makeSource(cluster);
      const claim = await ask(cluster, source, { way });
      await untilSaid(client(), claim, 'NotGranted');
      const { uid = '' } = (await makeAnew(client(), source.prod)).metadata;
      const other = await takeAnother(source);
      await client().create(grantFor(other));
      const { message } = await untilSaid(client(), claim, 'SourceNamespaceReplaced');
      expect(message).toContain(`${confirmationAnnotation}: ${uid}`);
      await expectNothingMade(cluster, claim);
      const wish = way === 'link' ? linkTo(source, { namespace: source.prod }) : claim;
      await client().annotate(wish, { [confirmationAnnotation]: uid });
      await expectRestored(cluster, other, claim);
    },
  );

  test('its grants give nobody what was restored of the former one', async () => {
    const source = await makeSource(cluster);
    await client().create(grantFor(source));
    standIn().hanging(driver, true);
    const link = linkTo(source, { namespace: source.prod });
    await client().create({ ...link, metadata: { ...link.metadata, ...anybody } });
    const claim = await ask(cluster, source);
    await client().until(copiesOf(claim).prime);
    await cluster.away(async () => {
      standIn().hanging(driver, false);
      await client().until<Claim>(copiesOf(claim).prime, ({ status }) => status?.phase === 'Bound');
      await makeAnew(client(), source.prod);
      await client().create(grantFor(source));
    });
    await untilSaid(client(), claim, 'SnapshotMissing');
    await untilClean(cluster, claim);
    expect((await client().until<Claim>(claim)).spec.volumeName).toBeUndefined();
  });
});
