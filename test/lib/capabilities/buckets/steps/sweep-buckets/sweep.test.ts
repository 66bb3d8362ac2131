import { describe, expect, test } from '@jest/globals';
import { namesIn } from '../../../../../../lib/capabilities/buckets/steps/sweep-buckets/event.ts';
import { writeReports } from '../../../../../../lib/capabilities/buckets/steps/sweep-buckets/write-reports.ts';
import type { ReadingFor } from '../../../../../../lib/reconcile/handler-runtime.ts';
import { MemoryPool } from '../../../../../../lib/runtime/memory/pool.ts';
import { FakeStoreError } from '../../../../../support/fake-store-error.ts';
import { encoded, now, source } from '../../bucket-stages.ts';
import { bucket, parameters, user, worldWithBucket } from './world.ts';

const long = new Date(now.getTime() - 2 * 60 * 60_000);

describe('a report', () => {
  test('has nothing to say where all is well, and changes nothing', async () => {
    const { store, run } = await worldWithBucket();
    const before = structuredClone([store.buckets, store.users]);
    expect(await run()).toMatchObject({ problems: [], findings: [], removed: [], refused: [] });
    expect([store.buckets, store.users]).toEqual(before);
  });

  test('names what is left of lost objects', async () => {
    const { run, lose } = await worldWithBucket();
    lose();
    const { findings } = await run();
    expect(findings).toMatchObject([
      { verdict: 'unclaimed', name: `bucket/${bucket}` },
      { verdict: 'orphaned', name: `user/${user}` },
    ]);
    expect(JSON.stringify(findings)).not.toContain('secret');
  });

  test('names what consumers were promised and is gone', async () => {
    const { store, driver, run } = await worldWithBucket();
    const [key] = store.liveKeys;
    for (const each of store.users) each.keys = [];
    const message = expect.stringContaining(`the key ${key?.id} in its Secret does not exist`);
    expect((await run()).findings).toMatchObject([{ verdict: 'missing', kind: 'credentials', message }]);
    const { spec } = (await worldWithBucket()).content;
    const about = { owner: spec.bucketRef.uuid, cluster: 'main', bucket, parameters, secrets: {}, deadline: Infinity };
    await driver?.revokeBucketAccess(about);
    await driver?.deleteBucket(about);
    expect((await run()).findings.map(({ verdict, kind }) => `${verdict} ${kind}`)).toEqual([
      'missing bucket',
      'missing credentials',
    ]);
  });

  test('calls nothing an orphan while a cluster is away', async () => {
    const { run, lose, other } = await worldWithBucket();
    lose();
    other.isAway = true;
    const { problems, findings } = await run([`user/${user}`]);
    expect(problems).toEqual([expect.stringMatching(/cluster other could not be read.*other is away/)]);
    expect(findings.map(({ verdict }) => verdict)).toEqual(['undecided', 'undecided']);
  });

  test('is not kept waiting for one cluster by another that is slow', async () => {
    const { run, other, main, sweeping } = await worldWithBucket();
    const slow = Promise.withResolvers<never[]>();
    const read = Promise.withResolvers<void>();
    other.list = () => slow.promise;
    const list = main.list.bind(main);
    main.list = async (resource) => {
      const found = await list(resource);
      read.resolve();
      return found as never;
    };
    Object.assign(sweeping, { clusters: ['other', 'main'] });
    const running = run();
    await read.promise;
    slow.resolve([]);
    expect((await running).problems).toEqual([]);
  });

  test('leaves out a cluster whose contents take more memory than there is, and no other', async () => {
    const { run, other, sweeping } = await worldWithBucket();
    const { cluster } = sweeping;
    Object.assign(sweeping, {
      memory: new MemoryPool(1_000_000),
      cluster: async (name: string, reading?: ReadingFor) => {
        if (name === 'other') await reading?.share?.hold().resize(2_000_000);
        else await reading?.share?.hold().resize(400_000);
        return cluster(name);
      },
    });
    const { problems, unread } = await run();
    expect(unread).toEqual({ clusters: [other.name], stores: [] });
    expect(problems).toEqual([expect.stringMatching(/cluster other could not be read.*more memory than there is/)]);
  });

  test('says which store does not answer', async () => {
    const { store, run } = await worldWithBucket();
    store.around = (name, perform) => {
      if (name === 'ListUsers') throw new FakeStoreError(403, 'AccessDenied');
      return perform();
    };
    const { problems, unread, findings } = await run();
    expect(problems).toEqual([expect.stringMatching(/store of s3.example.com at https:.*iam:ListUsers/)]);
    expect([unread.stores, findings]).toEqual([[{ driver: 's3.example.com', clusters: ['main'] }], []]);
  });

  test.each([40_000, 40_001])('has all stores in it when there are %d ms for it', async (milliseconds) => {
    const { sweeping, run } = await worldWithBucket();
    const begun = Date.now();
    Object.assign(sweeping, { deadline: begun + milliseconds, now: () => new Date(begun) });
    expect((await run()).problems).toEqual([]);
  });

  test('does not take for an orphan what is made while it looks', async () => {
    const { store, main, content, run } = await worldWithBucket();
    main.objects = main.objects.filter((object) => object !== content);
    store.around = (name, perform) => {
      if (name === 'ListBuckets') main.objects.push(content);
      return perform();
    };
    expect((await run()).findings).toEqual([]);
  });
});

describe('removal', () => {
  test('takes what is named and nothing else', async () => {
    const { store, run, lose } = await worldWithBucket();
    lose();
    expect(await run([`user/${user}`, 'user/other'])).toMatchObject({
      removed: [`user/${user}`],
      refused: [{ name: 'user/other', why: expect.stringContaining('does not exist') }],
      findings: [{ name: `bucket/${bucket}` }],
    });
    expect([store.users, store.buckets.length]).toEqual([[], 1]);
  });

  test('takes a key that nobody holds, and keeps the one that is held', async () => {
    const { store, run } = await worldWithBucket();
    const [held] = store.liveKeys;
    store.users[0]?.keys.push({ id: 'AKIAEXTRA', secret: 'x', isActive: true, madeAt: long });
    const names = ['key/AKIAEXTRA', `key/${held?.id}`, `user/${user}`, `bucket/${bucket}`];
    const { removed, refused } = await run(names);
    expect(removed).toEqual(['key/AKIAEXTRA']);
    const why = expect.stringContaining('not an orphan');
    expect(refused).toEqual(names.slice(1).map((name) => ({ name, why })));
    expect(store.liveKeys).toEqual([held]);
  });

  test('leaves what is young, what has something in it, and a key of an orphaned user by itself', async () => {
    const { store, run, lose } = await worldWithBucket();
    lose();
    store.put(bucket, 'key');
    for (const each of store.users) each.madeAt = new Date(now.getTime() - 60_000);
    const names = [`user/${user}`, `bucket/${bucket}`, `key/${store.liveKeys[0]?.id}`];
    const { removed, refused } = await run(names);
    expect(removed).toEqual([]);
    expect(refused).toEqual([
      { name: names[0], why: expect.stringContaining('less than an hour old') },
      { name: names[1], why: expect.stringContaining('is not empty') },
      { name: names[2], why: expect.stringContaining(`removed together with user/${user}`) },
    ]);
  });

  test('leaves what has found its owner again at the last moment', async () => {
    const { store, main, held, run } = await worldWithBucket();
    store.users[0]?.keys.push({ id: 'AKIALATE', secret: 'x', isActive: true, madeAt: long });
    let reads = 0;
    const secret = source(encoded(held));
    main.objects = main.objects.filter(({ kind }) => kind !== 'Secret');
    const late = source(encoded({ ...held, AWS_ACCESS_KEY_ID: 'AKIALATE' }));
    const get = main.get.bind(main);
    main.get = async (place) => {
      main.objects = [...main.objects.filter(({ kind }) => kind !== 'Secret'), reads++ === 0 ? secret : late];
      return get(place);
    };
    expect(await run(['key/AKIALATE'])).toMatchObject({ removed: [], refused: [{ name: 'key/AKIALATE' }] });
  });
});

test('each cluster is told, the second time as well, and one that refuses keeps no other', async () => {
  const { sweeping, main, other, run, lose } = await worldWithBucket();
  const told = () => main.objects.find(({ metadata }) => metadata.name === 'bucket-orphans');
  expect(await writeReports(sweeping, await run())).toEqual([]);
  expect(told()).toMatchObject({ data: { findings: '[]', problems: '' } });
  lose();
  const report = await run();
  other.isAway = true;
  expect(await writeReports(sweeping, report)).toEqual([expect.stringContaining('cluster other')]);
  expect(told()).toMatchObject({ data: { findings: expect.stringContaining(user) } });
});

test('only a list of names removes anything', () => {
  expect(namesIn({ source: 'aws.events' })).toEqual([]);
  expect(namesIn({ remove: ['user/x'] })).toEqual(['user/x']);
  for (const remove of ['user/x', [1], null]) expect(() => namesIn({ remove })).toThrow('must be a list of names');
});
