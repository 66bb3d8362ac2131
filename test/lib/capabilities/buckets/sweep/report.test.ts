import { expect, test } from '@jest/globals';
import type { Finding } from '../../../../../lib/capabilities/buckets/sweep/finding.ts';
import {
  answerOf,
  configMapFor,
  measurementsOf,
  type Report,
} from '../../../../../lib/capabilities/buckets/sweep/report.ts';

const finding = (also: Partial<Finding> = {}): Finding => ({
  verdict: 'orphaned',
  name: 'user/cosi-x',
  kind: 'user',
  driver: 'a.example.com',
  cluster: 'main',
  owner: 'owner',
  madeAt: undefined,
  message: 'it is an orphan',
  store: 'store',
  ...also,
});

const report = (findings: Finding[], also: Partial<Report> = {}): Report => {
  const at = '2026-03-01T12:00:00.000Z';
  return { at, problems: [], unread: { clusters: [], stores: [] }, findings, removed: [], refused: [], ...also };
};

const all = [
  finding(),
  finding({ kind: 'role' }),
  finding({ kind: 'key' }),
  finding({ kind: 'bucket', verdict: 'unclaimed', cluster: undefined }),
  finding({ kind: 'bucket', verdict: 'missing', cluster: 'other' }),
  finding({ kind: 'credentials', verdict: 'missing' }),
  finding({ verdict: 'elsewhere', cluster: 'former' }),
];

const measuredOf = (given: Report) => measurementsOf(given, ['a.example.com', 'b.example.com'], ['main', 'other']);
const countsOf = (given: Report) => {
  const measured = measuredOf(given).filter(({ name }) => name !== 'StoreFindings');
  return measured.map(({ name, value, dimensions: { driver, cluster } }) => `${driver} ${cluster} ${name} ${value}`);
};

test('everything is counted by driver and cluster, also that there is none', () => {
  const counts = countsOf(report(all));
  // How many stores were not read is said of clusters that are known alone.
  expect(counts).toHaveLength(2 * 3 * 5 + 2 * 2);
  expect(counts.filter((each) => !each.endsWith(' 0'))).toEqual([
    'a.example.com main OrphanedUsers 2',
    'a.example.com main OrphanedKeys 1',
    'a.example.com main MissingCredentials 1',
    'a.example.com other MissingBuckets 1',
    'a.example.com unknown OrphanedBuckets 1',
  ]);
});

test('what is not known is not counted as none', () => {
  const unread = { clusters: ['other'], stores: [{ driver: 'b.example.com', clusters: undefined }] };
  expect(countsOf(report([], { unread }))).toEqual([
    'a.example.com main MissingBuckets 0',
    'a.example.com main MissingCredentials 0',
    'a.example.com main StoresNotRead 0',
    'b.example.com main StoresNotRead 1',
  ]);
});

test('what someone should look at is counted together, and nothing is only counted where everything was read', () => {
  const totalOf = (given: Report) =>
    measuredOf(given).flatMap(({ name, value, dimensions }) => (name === 'StoreFindings' ? [[value, dimensions]] : []));
  expect(totalOf(report(all))).toEqual([[5, {}]]);
  expect(totalOf(report([]))).toEqual([[0, {}]]);
  expect(totalOf(report([finding({ kind: 'bucket', verdict: 'unclaimed' })]))).toEqual([[0, {}]]);
  const unreadCluster = { clusters: ['other'], stores: [] };
  const unreadStore = { clusters: [], stores: [{ driver: 'b.example.com', clusters: undefined }] };
  for (const unread of [unreadCluster, unreadStore]) {
    expect(totalOf(report([], { unread }))).toEqual([]);
    expect(totalOf(report([finding({ kind: 'credentials', verdict: 'missing' })], { unread }))).toEqual([[1, {}]]);
  }
});

test('a store that does not answer leaves the counts of those as they are who do not use it', () => {
  const unread = { clusters: [], stores: [{ driver: 'a.example.com', clusters: ['other'] }] };
  const counts = countsOf(report([finding()], { unread }));
  expect(counts).toContain('a.example.com main OrphanedUsers 1');
  expect(counts.filter((each) => each.startsWith('a.example.com other'))).toEqual([
    'a.example.com other StoresNotRead 1',
  ]);
  expect(counts).toContain('a.example.com main StoresNotRead 0');
  expect(counts.filter((each) => each.startsWith('b.example.com other'))).toHaveLength(6);
});

test('a problem is told to the clusters that it concerns', () => {
  const concerned = new Map([['of a store', ['other']]]);
  const given = report([], { problems: ['of all', 'of a store'], concerned });
  const problemsOf = (cluster: string) => configMapFor(cluster, given).data?.problems;
  expect([problemsOf('main'), problemsOf('other')]).toEqual(['of all', 'of all\nof a store']);
});

test('what one store has very much of keeps nothing of the others from being shown', () => {
  const many = Array.from({ length: 6_000 }, () => finding({ store: 'theirs' }));
  const given = report([...many, finding({ store: 'ours', name: 'user/ours' })]);
  expect(configMapFor('main', given).data?.findings).toContain('user/ours');
  expect(JSON.stringify(answerOf(given))).toContain('user/ours');
});

test('names and sentences of any length and any signs are less than a ConfigMap or an answer holds', () => {
  const sign = '\u0001';
  const many = Array.from({ length: 10_000 }, () => {
    return finding({ message: sign.repeat(100_000), name: `user/${sign.repeat(255)}` });
  });
  const given = report(many, { problems: [sign.repeat(1_000_000)] });
  expect(Buffer.byteLength(JSON.stringify(configMapFor('main', given)))).toBeLessThan(1024 * 1024);
  expect(Buffer.byteLength(JSON.stringify(answerOf(given)))).toBeLessThan(6_000_000);
});

test('a cluster is told what concerns it, and no more than it can keep', () => {
  const { metadata, data = {} } = configMapFor('other', report(all, { problems: ['one', 'two'] }));
  expect(metadata).toEqual({ namespace: 'longshore-system', name: 'bucket-orphans' });
  expect(data.problems).toBe('one\ntwo');
  expect(JSON.parse(data.findings ?? '')).toMatchObject([{ verdict: 'unclaimed' }, { verdict: 'missing' }]);
  const many = Array.from({ length: 100_000 }, () => finding({ message: 'x'.repeat(300) }));
  const large = configMapFor('main', report(many));
  expect(JSON.stringify(large).length).toBeLessThan(500_000);
  expect(large.data?.problems).toContain('Only 200 of 100000');
  const answer = answerOf(report(many));
  expect(JSON.stringify(answer).length).toBeLessThan(6_000_000);
  expect(answer).toMatchObject({ left: 95_000 });
});
