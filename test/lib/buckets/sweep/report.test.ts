import { expect, test } from '@jest/globals';
import type { Finding } from '../../../../lib/buckets/sweep/finding.ts';
import { answerOf, configMapFor, measurementsOf, type Report } from '../../../../lib/buckets/sweep/report.ts';

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
  return { at, problems: [], unread: { clusters: [], drivers: [] }, findings, removed: [], refused: [], ...also };
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

const countsOf = (given: Report) => {
  const measured = measurementsOf(given, ['a.example.com', 'b.example.com'], ['main', 'other']);
  return measured.map(({ name, value, dimensions: { driver, cluster } }) => `${driver} ${cluster} ${name} ${value}`);
};

test('everything is counted by driver and cluster, also that there is none', () => {
  const counts = countsOf(report(all));
  expect(counts).toHaveLength(2 * 3 * 5);
  expect(counts.filter((each) => !each.endsWith(' 0'))).toEqual([
    'a.example.com main OrphanedUsers 2',
    'a.example.com main OrphanedKeys 1',
    'a.example.com main MissingCredentials 1',
    'a.example.com other MissingBuckets 1',
    'a.example.com unknown OrphanedBuckets 1',
  ]);
});

test('what is not known is not counted as none', () => {
  const unread = { clusters: ['other'], drivers: ['b.example.com'] };
  expect(countsOf(report([], { unread }))).toEqual([
    'a.example.com main MissingBuckets 0',
    'a.example.com main MissingCredentials 0',
  ]);
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
