import { describe, expect, test } from '@jest/globals';
import type {
  FindOwnedOutcome,
  FindOwnedRequest,
  OwnedResource,
} from '../../../../../../lib/capabilities/buckets/drivers/sweepable-driver.ts';
import { maxStoresOfCluster } from '../../../../../../lib/capabilities/buckets/steps/sweep-buckets/lanes.ts';
import { writeReports } from '../../../../../../lib/capabilities/buckets/steps/sweep-buckets/write-reports.ts';
import { clustersConcernedBy } from '../../../../../../lib/capabilities/buckets/sweep/finding.ts';
import { measurementsOf, type Report } from '../../../../../../lib/capabilities/buckets/sweep/report.ts';
import { bucketClass, driver, ready } from '../../bucket-stages.ts';
import { bucket, type ListedCluster, owner, user, worldWithBucket } from './world.ts';

/** Whoever writes classes in one cluster names stores of theirs, which answer what they like. */

type Answer = (request: FindOwnedRequest) => Promise<FindOwnedOutcome> | FindOwnedOutcome;

const theirs = (at = 0) => `https://theirs-${at}.example.com`;

/** The cluster `other` has a class for each of some stores of its own. */
async function worldWithStoresOfOther(answer: Answer, stores = 1) {
  const world = await worldWithBucket();
  const ours = world.driver;
  if (!ours) throw new Error('there is no driver');
  for (let at = 0; at < stores; at++) {
    const parameters = { region: 'eu-central-1', endpoint: theirs(at) };
    world.other.objects.push(bucketClass({ metadata: { name: `theirs-${at}` }, parameters }));
  }
  const findOwned = async (request: FindOwnedRequest): Promise<FindOwnedOutcome> =>
    request.parameters.endpoint?.startsWith('https://theirs-') ? answer(request) : ours.findOwned(request);
  Object.assign(world.sweeping, { drivers: new Map([[driver, { ...ours, findOwned }]]) });
  return world;
}

const telling = (items: OwnedResource[]) => () => ({ result: 'found', items, lacking: [] }) as const;

const bucketsOfMain = (name = 'x') =>
  [...Array(300).keys()].map((at): OwnedResource => {
    const digits = String(at).padStart(32, '0');
    return { kind: 'bucket', name: `${name}-${digits}`, owner: `o-${at}`, cluster: 'main', madeAt: 0, keys: [] };
  });

const counted = (report: Report, metric: string, cluster: string) =>
  measurementsOf(report, [driver], ['main', 'other'])
    .filter(({ name, dimensions }) => name === metric && dimensions.cluster === cluster)
    .map(({ value }) => value);

const toldIn = ({ objects }: ListedCluster) =>
  objects.find(({ kind }) => kind === 'ConfigMap') as { data: { findings: string; problems: string } } | undefined;

describe('a store that only another cluster uses', () => {
  test('says nothing of the keys of a Bucket', async () => {
    const keys = [{ id: 'AKIAFORGED0000000000', madeAt: 0 }];
    const forged: OwnedResource = { kind: 'user', name: user, owner, cluster: 'main', madeAt: 0, keys };
    const { run } = await worldWithStoresOfOther(telling([forged]));
    expect((await run()).findings).toEqual([]);
  });

  test('does not hide a key that is lost', async () => {
    const { run, store } = await worldWithStoresOfOther(telling([]));
    for (const each of store.users) each.keys = [];
    const [lost] = (await run()).findings;
    const forged: OwnedResource = { kind: 'user', name: user, owner, cluster: 'main', madeAt: 0, keys: [] };
    const again = await worldWithStoresOfOther(telling([forged]));
    for (const each of again.store.users) each.keys = [];
    expect((await again.run()).findings).toEqual([lost]);
  });

  test('makes no count of a cluster that does not use it larger', async () => {
    const { run } = await worldWithStoresOfOther(telling(bucketsOfMain()));
    const report = await run();
    const counts = ['main', 'other', 'unknown'].map((cluster) => counted(report, 'OrphanedBuckets', cluster));
    expect(counts).toEqual([[0], [300], []]);
  });

  test('keeps nothing out of the report of a cluster that does not use it', async () => {
    const { run, lose, main, other, sweeping } = await worldWithStoresOfOther(telling(bucketsOfMain()));
    lose();
    await writeReports(sweeping, await run());
    const findings = JSON.parse(toldIn(main)?.data.findings ?? '');
    expect(findings).toMatchObject([{ verdict: 'unclaimed' }, { verdict: 'orphaned', name: `user/${user}` }]);
    expect(JSON.parse(toldIn(other)?.data.findings ?? '')).toHaveLength(200);
  });

  test('tells no cluster that does not use it that it does not answer, and what it says instead', async () => {
    const message = 'delete your BucketContents';
    const { run, main, other, sweeping } = await worldWithStoresOfOther(() => ({ result: 'denied', message }));
    await writeReports(sweeping, await run());
    expect([toldIn(main)?.data.problems, toldIn(other)?.data.problems]).toEqual(['', expect.stringContaining(message)]);
  });

  test('does not keep others from being counted when it does not answer', async () => {
    const { run, lose } = await worldWithStoresOfOther(() => ({ result: 'unavailable', message: 'nobody answers' }));
    lose();
    const report = await run();
    expect(counted(report, 'OrphanedUsers', 'main')).toEqual([1]);
    expect(counted(report, 'OrphanedUsers', 'other')).toEqual([]);
  });

  test('loses what it says when that takes more memory than there is, and no other store does', async () => {
    const { run, lose, sweeping } = await worldWithStoresOfOther(async ({ memory }) => {
      await memory?.hold().resize(2_000_000);
      return { result: 'found', items: bucketsOfMain(), lacking: [] };
    });
    lose();
    Object.assign(sweeping, { storeBytes: 1_000_000 });
    const { problems, findings } = await run();
    expect(problems).toEqual([expect.stringMatching(/theirs-0.example.com could not be read: .*memory/)]);
    expect(findings.map(({ verdict }) => verdict)).toEqual(['unclaimed', 'orphaned']);
  });
});

test.each([
  ['the same in other words', { forcePathStyle: 'true' }, []],
  // What is told of users there is of that address, and concerns the cluster that names it.
  ['the same for buckets, and another one for users', { iamEndpoint: theirs() }, [`user/${user} for other`]],
])('a class that names %s has nothing told to its cluster that is another’s', async (_, also, more) => {
  const world = await worldWithStoresOfOther(telling([]), 0);
  world.lose();
  const parameters = { region: 'eu-central-1', ...also };
  world.other.objects.push(bucketClass({ metadata: { name: 'theirs' }, parameters }));
  Object.assign(world.sweeping, { clusters: ['other', 'main'] });
  const { findings } = await world.run();
  const told = findings.map((finding) => `${finding.name} for ${clustersConcernedBy(finding)}`);
  expect(told.sort()).toEqual([`bucket/${bucket} for main`, `user/${user} for main`, ...more].sort());
});

describe('stores of one cluster that take all the time that they are given', () => {
  test('leave that of another cluster enough', async () => {
    let time = Date.UTC(2026, 10, 19);
    const deadline = time + 870_000;
    const world = await worldWithStoresOfOther(async (request) => {
      time = Math.max(time, request.deadline);
      return { result: 'unavailable', message: 'slow' };
    }, 40);
    const parameters = { region: 'eu-central-1', endpoint: 'https://good.example.com' };
    world.main.objects.push(ready({ metadata: { name: 'good', uid: 'uid-good' }, spec: { parameters } }));
    const given: number[] = [];
    const [served] = [...world.sweeping.drivers.values()];
    if (!served) throw new Error('there is no driver');
    const findOwned = async (request: FindOwnedRequest): Promise<FindOwnedOutcome> => {
      if (request.parameters.endpoint?.startsWith('https://theirs-')) return served.findOwned(request);
      given.push(request.deadline - time);
      return { result: 'found', items: [], lacking: [] };
    };
    const drivers = new Map([[driver, { ...served, findOwned }]]);
    const now = () => new Date(time);
    Object.assign(world.sweeping, { clusters: ['other', 'main'], deadline, now, drivers });
    await world.run();
    expect(given).toHaveLength(2);
    for (const milliseconds of given) expect(milliseconds).toBeGreaterThan(60_000);
  });

  test('are tried again for the cluster that also means one of them', async () => {
    let isLate = true;
    const asked: (string | undefined)[] = [];
    const world = await worldWithStoresOfOther(async ({ parameters: { endpoint } }) => {
      asked.push(endpoint);
      if (isLate) return { result: 'unavailable', message: 'no time' };
      return { result: 'found', items: [], lacking: [] };
    });
    const [shared] = world.other.objects;
    if (shared) world.main.objects.push(shared);
    const { drivers } = world.sweeping;
    const [served] = [...drivers.values()];
    const findOwned = async (request: FindOwnedRequest) => {
      const outcome = await served?.findOwned(request);
      isLate = asked.length === 0;
      return outcome;
    };
    Object.assign(world.sweeping, { drivers: new Map([[driver, { ...served, findOwned }]]) });
    expect((await world.run()).problems).toEqual([]);
    expect(asked).toEqual([theirs(), theirs()]);
  });

  test('are no more than there may be', async () => {
    const asked = new Set<string | undefined>();
    const world = await worldWithStoresOfOther(({ parameters: { endpoint } }) => {
      asked.add(endpoint);
      return { result: 'found', items: [], lacking: [] };
    }, maxStoresOfCluster + 5);
    const { problems, unread } = await world.run();
    expect(asked.size).toBe(maxStoresOfCluster);
    expect(problems).toEqual([expect.stringMatching(/cluster other uses more than 200 stores: 5 of them/)]);
    expect(unread.stores).toEqual([{ driver, clusters: ['other'] }]);
  });
});

test('two administrators of one account find the same things, each of which is told once', async () => {
  const { run, main, other, sweeping, driver: ours, lose } = await worldWithBucket();
  lose();
  const [known] = main.objects;
  if (!known || !ours) throw new Error('there is no class');
  const parameters = { region: 'eu-central-1', endpoint: 'https://both.example.com', driverSecretName: 'keys' };
  for (const cluster of [main, other]) cluster.objects.push(bucketClass({ metadata: { name: 'both' }, parameters }));
  const items: OwnedResource[] = [
    { kind: 'user', name: 'cosi-x', owner: 'gone', cluster: 'other', madeAt: 0, keys: [] },
    { kind: 'bucket', name: 'x', owner: 'gone', cluster: 'main', madeAt: 0, keys: [] },
  ];
  const findOwned = async (request: FindOwnedRequest): Promise<FindOwnedOutcome> => {
    const isBoth = request.parameters.endpoint === parameters.endpoint;
    return { result: 'found', items: isBoth ? structuredClone(items) : [], lacking: [] };
  };
  Object.assign(sweeping, { drivers: new Map([[driver, { ...ours, findOwned }]]) });
  const { findings } = await run();
  expect(findings.map(({ name, cluster }) => `${name} ${cluster}`)).toEqual(['user/cosi-x other', 'bucket/x main']);
});
