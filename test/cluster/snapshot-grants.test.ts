import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Claim, ReferenceGrant } from '../../lib/kubernetes/objects.ts';
import { ask, grantFor, makeSource, type Source, ways } from './case-snapshot-sources.ts';
import {
  copiesOf,
  expectNothingMade,
  expectRestored,
  expectUnharmed,
  untilClean,
  untilSaid,
} from './case-snapshot-waits.ts';
import { driver, runSnapshots } from './case-snapshots.ts';
import { keepChanging } from './keep-changing.ts';

const cluster = runSnapshots();
const client = () => cluster.parts().client;
const standIn = () => cluster.parts().standIn;

describe.each(ways)('a grant that lacks one thing only for what is named by %s', (way) => {
  let source: Source;
  let left: Claim[];
  let count = 0;
  beforeAll(async () => {
    source = await makeSource(cluster);
    left = [];
  });

  // All of them stay: two grants that are wrong in different fields do not make up for each other.
  test.each<[string, (source: Source) => object]>([
    ['group of from', () => ({ from: { group: way === 'link' ? '' : 'snapshot.storage.k8s.io' } })],
    ['group of from, which has a version', () => ({ from: { group: 'snapshot.storage.k8s.io/v1alpha1' } })],
    ['kind of from', () => ({ from: { kind: 'VolumeSnapshot' } })],
    ['way', () => ({ way: way === 'link' ? 'field' : 'link' })],
    ['namespace of from', ({ prod }) => ({ from: { namespace: prod } })],
    ['group of to', () => ({ to: { group: '' } })],
    ['kind of to', () => ({ to: { kind: 'PersistentVolumeClaim' } })],
    ['name of to', () => ({ to: { name: 'other' } })],
    ['namespace that it stands in', ({ test: other }) => ({ inside: other })],
    ['from', () => ({ spec: { from: [] } })],
    ['to', () => ({ spec: { to: [] } })],
  ])('is none: %s', async (_, wrong) => {
    const { inside, spec = {}, ...parts } = wrong(source) as { inside?: string; spec?: object };
    count += 1;
    const grant = grantFor(source, { way, ...parts, name: `wrong-${count}` });
    if (inside) grant.metadata.namespace = inside;
    await client().create({ ...grant, spec: { ...grant.spec, ...spec } } as ReferenceGrant);
    const claim = await ask(cluster, source, { way, name: `wrong-${count}` });
    await untilSaid(client(), claim, 'NotGranted');
    await expectNothingMade(cluster, claim);
    left.push(claim);
  });

  test('and a right one beside them is enough, for all claims that wait', async () => {
    for (const claim of left) await expectNothingMade(cluster, claim);
    await client().create(grantFor(source, { way, name: 'right' }));
    for (const claim of left) await expectRestored(cluster, source, claim);
    await expectUnharmed(cluster, source);
  });
});

describe('a grant', () => {
  test.each([{ name: 'backup' }, { name: '' }])('with a name in it is one: %j', async (to) => {
    const source = await makeSource(cluster);
    await client().create(grantFor(source, { to }));
    await expectRestored(cluster, source, await ask(cluster, source));
  });

  test('is one with several entries, of which the last ones are meant', async () => {
    const source = await makeSource(cluster);
    const grant = grantFor(source);
    const { from = [], to = [] } = grant.spec ?? {};
    const wrong = grantFor({ prod: source.prod, test: 'other' }, { to: { name: 'other' } }).spec;
    const spec = { from: [...(wrong?.from ?? []), ...from], to: [...(wrong?.to ?? []), ...to] };
    await client().create({ ...grant, spec });
    await expectRestored(cluster, source, await ask(cluster, source, { way: 'field' }));
  });

  test('that is changed to be none, and back, counts as it is', async () => {
    const source = await makeSource(cluster);
    const grant = grantFor(source, { to: { name: 'other' } });
    await client().create(grant);
    const claim = await ask(cluster, source);
    await untilSaid(client(), claim, 'NotGranted');
    await client().change(grant, { spec: grantFor(source).spec });
    await expectRestored(cluster, source, claim);
  });
});

describe.each(ways)('a grant that is deleted midway, of what is named by %s,', (way) => {
  async function begun() {
    const source = await makeSource(cluster);
    const grant = grantFor(source, { way });
    await client().create(grant);
    standIn().hanging(driver, true);
    const claim = await ask(cluster, source, { way });
    await client().until(copiesOf(claim).prime);
    return { source, grant, claim };
  }

  test('takes everything back, and begins anew when it is created again', async () => {
    const { source, grant, claim } = await begun();
    await client().delete(grant);
    await untilSaid(client(), claim, 'NotGranted');
    await untilClean(cluster, claim);
    standIn().hanging(driver, false);
    await cluster.resync();
    expect((await client().until<Claim>(claim)).spec.volumeName).toBeUndefined();
    await client().create(grant);
    await expectRestored(cluster, source, claim);
    await expectUnharmed(cluster, source);
  });

  test('gives nothing away that was provisioned before anybody looked', async () => {
    const { source, grant, claim } = await begun();
    await cluster.away(async () => {
      standIn().hanging(driver, false);
      await client().until<Claim>(copiesOf(claim).prime, ({ status }) => status?.phase === 'Bound');
      await client().delete(grant);
    });
    await untilSaid(client(), claim, 'NotGranted');
    await untilClean(cluster, claim);
    expect((await client().until<Claim>(claim)).spec.volumeName).toBeUndefined();
    await client().create(grant);
    await expectRestored(cluster, source, claim);
  });

  test('is taken back though whoever wants it changes the claim all the time', async () => {
    const { source, grant, claim } = await begun();
    const busy = keepChanging(client(), claim);
    try {
      await client().delete(grant);
      for (const copy of Object.values(copiesOf(claim))) await client().untilGone(copy);
    } finally {
      expect(await busy.stop()).toBeGreaterThan(0);
    }
    await untilSaid(client(), claim, 'NotGranted');
    standIn().hanging(driver, false);
    await untilClean(cluster, claim);
    await expectUnharmed(cluster, source);
  });

  test('and created again at once does no harm', async () => {
    const { source, grant, claim } = await begun();
    await client().delete(grant);
    await client().create(grant);
    standIn().hanging(driver, false);
    await expectRestored(cluster, source, claim);
    await expectUnharmed(cluster, source);
  });
});
