import { describe, expect, test } from '@jest/globals';
import type { ClusterObject } from '../../../../../../lib/kubernetes/objects.ts';
import { bucketClass, encoded, now, ready, source } from '../../bucket-stages.ts';
import { bucket, parameters, user, worldWithBucket } from './world.ts';

const another = '11111111-2222-3333-4444-555555555555';
const bucketRef = { namespace: 'prod', name: 'reader', uuid: another };
const claims: [string, ClusterObject][] = [
  [
    'a content',
    ready({ metadata: { name: 'reader' }, spec: { flow: 'Brownfield', bucketIdentifier: bucket, bucketRef } }),
  ],
  ['a static content', ready({ spec: { flow: 'Static', bucketIdentifier: bucket, bucketRef } })],
  ['a class', bucketClass({ bucketIdentifier: bucket, releasePolicy: 'Retain' })],
];

describe.each(claims)('a retained bucket that %s of any cluster names', (_, claim) => {
  test('is not unclaimed, and is not removed', async () => {
    const { store, other, run, lose } = await worldWithBucket();
    lose();
    other.objects.push(claim);
    const { removed, refused, findings } = await run([`bucket/${bucket}`]);
    expect(findings.filter(({ kind }) => kind === 'bucket')).toEqual([]);
    expect(removed).toEqual([]);
    expect(refused).toEqual([{ name: `bucket/${bucket}`, why: expect.stringContaining('not an orphan') }]);
    expect(store.buckets).toHaveLength(1);
  });

  test('is not removed either when that was made at the last moment', async () => {
    const { store, other, run, lose } = await worldWithBucket();
    lose();
    let lists = 0;
    const list = other.list.bind(other);
    other.list = async (resource) => {
      // Before the stores, after them, and before a removal, each time two kinds.
      if (++lists === 5) other.objects.push(claim);
      return list(resource);
    };
    const { removed, findings } = await run([`bucket/${bucket}`]);
    expect([lists, removed]).toEqual([6, []]);
    expect(findings).toMatchObject([{ verdict: 'unclaimed' }, { kind: 'user' }]);
    expect(store.buckets).toHaveLength(1);
  });
});

describe('of a content that another deployment has begun', () => {
  const worldBegunBy = async (startedBy: string) => {
    const world = await worldWithBucket();
    Object.assign(world.content, { status: { ...world.content.status, startedBy } });
    return world;
  };

  test('nothing is missing', async () => {
    for (const [startedBy, kinds] of [['test', []] as const, ['main', ['bucket', 'credentials']] as const]) {
      const { driver, content, run } = await worldBegunBy(startedBy);
      const { uuid: owner } = content.spec.bucketRef;
      const about = { owner, cluster: 'main', bucket, parameters, secrets: {}, deadline: Infinity };
      await driver?.revokeBucketAccess(about);
      await driver?.deleteBucket(about);
      expect((await run()).findings.map(({ kind }) => kind)).toEqual(kinds);
    }
  });

  test('the store is asked nothing', async () => {
    const { store, run } = await worldBegunBy('test');
    const asked: string[] = [];
    store.around = (name, perform) => {
      asked.push(name);
      return name.startsWith('ListUsers') ? { Users: [] } : perform();
    };
    await run();
    expect(asked).toContain('ListBuckets');
    expect(asked).not.toContain('GetUser');
  });

  test('no key is judged', async () => {
    const { store, main, run } = await worldBegunBy('test');
    main.objects = main.objects.filter(({ kind }) => kind !== 'Secret');
    main.objects.push(source(encoded({ AWS_ACCESS_KEY_ID: 'AKIAOTHER' })));
    expect(store.liveKeys).toHaveLength(1);
    expect((await run()).findings).toEqual([]);
  });
});

test.each<[string, ClusterObject[]]>([
  ['away', []],
  ['empty', [source()]],
  ['without a key', [source(encoded({ AWS_ACCESS_KEY_ID: '' }))]],
])('while the Secret is %s, no key is an orphan, and only that is said', async (_, secrets) => {
  const { store, main, run } = await worldWithBucket();
  main.objects = [...main.objects.filter(({ kind }) => kind !== 'Secret'), ...secrets];
  const long = new Date(now.getTime() - 2 * 60 * 60_000);
  for (const each of store.users) for (const key of each.keys) key.madeAt = long;
  const name = `key/${store.liveKeys[0]?.id}`;
  const { removed, refused, findings } = await run([name]);
  const message = expect.stringContaining('its Secret has no key');
  expect(findings).toMatchObject([{ verdict: 'missing', kind: 'credentials', message }]);
  expect([removed, refused.map((each) => each.name)]).toEqual([[], [name]]);
  expect(store.users).toMatchObject([{ name: user, keys: [{}] }]);
});
