import { expect, test } from '@jest/globals';
import type { ClusterApi } from '../../../cli/connect/cluster-api.ts';
import { findLeaders, leaderOf } from '../../../cli/operate/leader.ts';
import { NoAnswer } from '../../../cli/operate/open-within.ts';
import type { LeaseRecord } from '../../../lib/forwarder/lease-record.ts';

const now = new Date('2026-11-19T03:00:00Z');

function lease(renewTime: string, more: { holder?: string; version?: string; status?: object } = {}): LeaseRecord {
  const { holder = 'longshore/1', version = '1', status } = more;
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      ...{ name: 'forward.longshore', namespace: 'longshore-system', resourceVersion: version },
      annotations: status ? { 'longshore.dev/status': JSON.stringify(status) } : {},
    },
    spec: { holderIdentity: holder, leaseDurationSeconds: 15, renewTime },
  };
}

function apiWith(...answers: (LeaseRecord[] | Error)[]): ClusterApi {
  const list = async () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { list } as unknown as ClusterApi;
}

const find = (api: ClusterApi) => findLeaders(api, () => now, (async () => {}) as never);

test('a Lease that was renewed a moment ago is held', async () => {
  expect(await find(apiWith([lease('2026-11-19T02:59:58Z')]))).toMatchObject([
    { identity: 'longshore', state: 'leads' },
  ]);
});

test('a Lease that names a holder and is not renewed is held by nobody', async () => {
  expect(await find(apiWith([lease('2026-11-19T02:48:00Z')]))).toMatchObject([
    { holder: 'longshore/1', state: 'stale' },
  ]);
});

test.each([
  ['2026-11-19T02:50:00Z', -600_000],
  ['2026-11-19T03:10:00Z', 600_000],
])('a Lease that changes is held, whatever the time in it (%s)', async (renewTime, clockAheadMs) => {
  const api = apiWith([lease(renewTime)], [lease(renewTime, { version: '2' })]);
  expect(await find(api)).toMatchObject([{ state: 'leads', clockAheadMs }]);
});

test('without time for a second look the first one counts', async () => {
  const api = apiWith([lease('2026-11-19T02:48:00Z')], new NoAnswer('late'));
  expect(await find(api)).toMatchObject([{ state: 'stale' }]);
});

test('a Lease that was given away is free', async () => {
  expect(await find(apiWith([lease('2026-11-19T02:59:58Z', { holder: '' })]))).toMatchObject([{ state: 'free' }]);
});

test('Leases of others in the namespace do not count', async () => {
  const other = lease('2026-11-19T02:59:58Z');
  other.metadata.name = 'something';
  expect(await find(apiWith([other]))).toEqual([]);
});

test('the status of an earlier holder says nothing of this one', () => {
  const status = {
    ...{ holder: 'longshore/0', release: '0.1.0', cluster: 'main', capabilities: [], isFollowing: true },
    ...{ lagSeconds: 0, unfinished: 0, failing: [], failingCount: 0, retried: [] },
  };
  const renewed = '2026-11-19T02:59:58Z';
  expect(leaderOf(lease(renewed, { status }), '1', now).status).toBeUndefined();
  expect(leaderOf(lease(renewed, { status: { ...status, holder: 'longshore/1' } }), '1', now).status?.release).toBe(
    '0.1.0',
  );
});
