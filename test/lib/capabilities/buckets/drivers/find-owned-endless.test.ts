import { expect, test } from '@jest/globals';
import { MemoryPool } from '../../../../../lib/runtime/memory/pool.ts';
import { withBucket } from './case-access.ts';
import { region } from './requests.ts';

/** What a store lists may be without an end, and none of what it ought to be. */

const about = {
  parameters: { region },
  secrets: {},
  deadline: Number.MAX_SAFE_INTEGER,
  expected: [],
  clusters: ['main'],
};
const other = '11111111-2222-3333-4444-555555555555';
const plain = other.replaceAll('-', '');

test.each(['ListBuckets', 'ListUsers', 'ListRoles'])(
  'a store that gives the same page of %s again is given up',
  async (listing) => {
    const { store, driver } = await withBucket();
    let asked = 0;
    store.around = async (name, perform) => {
      if (name !== listing) return perform();
      asked += 1;
      return { Buckets: [], Users: [], Roles: [], ContinuationToken: 'same', Marker: 'same' };
    };
    const message = expect.stringContaining('the same page again and again');
    expect(await driver.findOwned(about)).toMatchObject({ result: 'unavailable', message });
    expect(asked).toBe(2);
  },
);

test.each(['ListBuckets', 'ListUsers', 'ListRoles'])(
  'what is kept of pages of %s without end takes its part of the memory',
  async (listing) => {
    const { store, driver } = await withBucket();
    let page = 0;
    store.around = async (name, perform) => {
      if (name !== listing) return perform();
      page += 1;
      const named = (key: string) => Array.from({ length: 100 }, (_, at) => ({ [key]: `x${page}-${at}-${plain}` }));
      const pages = { ContinuationToken: `page-${page}`, Marker: `page-${page}` };
      return { Buckets: named('Name'), Users: named('UserName'), Roles: named('RoleName'), ...pages };
    };
    const memory = new MemoryPool(1_000_000).share(() => {});
    await expect(driver.findOwned({ ...about, memory })).rejects.toThrow('more memory than there is');
    expect(page).toBeLessThan(100);
  },
);

test('what cannot be ours is not kept', async () => {
  const { store, driver } = await withBucket();
  const before = await driver.findOwned(about);
  const tag = (Key: string, Value: string) => ({ Key: `longshore.dev/${Key}`, Value });
  const names = [`${'x'.repeat(300)}-${plain}`, `two words-${plain}`];
  for (const name of names) store.addBucket(name, { tags: [tag('owner', other)] });
  store.addBucket(`owner-${plain}`, { tags: [tag('owner', other.repeat(100))] });
  store.addBucket(`cluster-${plain}`, { tags: [tag('owner', other), tag('cluster', 'x'.repeat(300))] });
  expect(await driver.findOwned(about)).toEqual(before);
});

test('a user has no more keys than can be, whatever the store says', async () => {
  const { store, driver, grant } = await withBucket();
  await grant();
  const [user] = store.users;
  const key = (id: string) => ({ id, secret: 'x', isActive: true });
  user?.keys.push(key('x'.repeat(200)), ...Array.from({ length: 1_000 }, (_, at) => key(`AKIA${at}`)));
  const found = await driver.findOwned(about);
  const keys = found.result === 'found' ? found.items.flatMap((item) => item.keys) : [];
  expect(keys).toHaveLength(20);
  expect(keys.every(({ id }) => id.length <= 128)).toBe(true);
});
