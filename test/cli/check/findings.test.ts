import { expect, test } from '@jest/globals';
import { checkClock, checkGates, checkVersion } from '../../../cli/check/cluster-checks.ts';
import { checkCredentials } from '../../../cli/check/credentials.ts';
import { isContained } from '../../../cli/check/is-contained.ts';
import { permissionsOf } from '../../../cli/check/permissions.ts';
import { findingLines } from '../../../cli/check/text.ts';
import type { ClusterApi } from '../../../cli/connect/cluster-api.ts';
import { defaultChoices } from '../../../lib/install/choices.ts';
import { desiredObjects } from '../../../lib/install/desired.ts';

const now = new Date('2026-11-19T03:00:00Z');

test.each([
  [0, 'ok', 'agrees'],
  [-8_000, 'warning', 'is 8s ahead of'],
  [90_000, 'problem', 'is 1m behind'],
  [undefined, 'warning', 'does not tell'],
])('a clock that differs by %s ms is: %s', (aheadMs, level, text) => {
  expect(checkClock({ user: 'me', aheadMs })).toMatchObject({ level, detail: expect.stringContaining(text) });
});

function tokenEnding(inSeconds: number, livesSeconds: number): () => Promise<string> {
  const exp = now.getTime() / 1_000 + inSeconds;
  return async () => `e30.${Buffer.from(JSON.stringify({ exp, iat: exp - livesSeconds })).toString('base64url')}.s`;
}

test.each([
  [tokenEnding(-3_600, 86_400), 'problem', 'the token ended 1h ago'],
  [tokenEnding(600, 900), 'ok', 'ends in 10m, and is renewed'],
  [tokenEnding(3 * 86_400, 365 * 86_400), 'warning', 'ends in 3d (2026-11-22)'],
  [tokenEnding(90 * 86_400, 365 * 86_400), 'ok', 'ends in 90d'],
  [async () => 'opaque', 'ok', 'do not say'],
  [async () => 'a.!!!.b', 'ok', 'do not say'],
  [async () => `a.${Buffer.from('{"exp":1e300}').toString('base64url')}.b`, 'ok', 'do not say'],
])('the end of a token is told (%#)', async (token, level, text) => {
  const [finding] = await checkCredentials({ server: 'https://main', token }, now);
  expect(finding).toMatchObject({ level, detail: expect.stringContaining(text) });
});

test.each([
  [{ major: '1', minor: '36+', gitVersion: 'v1.36.3' }, 'ok'],
  [{ major: '1', minor: '33', gitVersion: 'v1.33.0' }, 'warning'],
  [{ major: '1', minor: '29', gitVersion: 'v1.29.0' }, 'problem'],
  [{}, 'warning'],
])('a server of version %j is: %s', async (version, level) => {
  const api = { get: async () => version } as unknown as ClusterApi;
  expect(await checkVersion(api)).toMatchObject([{ level }]);
});

test('a server without policies is no finding where there are only buckets', async () => {
  const api = { get: async () => ({ major: '1', minor: '29', gitVersion: 'v1.29.0' }) } as unknown as ClusterApi;
  expect(await checkVersion(api, ['buckets'])).toMatchObject([{ level: 'ok' }]);
});

test('feature gates are told as far as they can be seen', async () => {
  const text = 'kubernetes_feature_enabled{name="CrossNamespaceVolumeDataSource",stage="ALPHA"} 0\n';
  expect(await checkGates(async () => text)).toMatchObject({ detail: 'CrossNamespaceVolumeDataSource off' });
  expect(await checkGates(() => Promise.reject(new Error('forbidden')))).toMatchObject({
    detail: 'not visible to you',
  });
});

test('what the server has filled in is no difference, and what it lacks is one', () => {
  const wanted = { a: [1, { b: 'x' }] };
  expect(isContained(wanted, { a: [1, { b: 'x', c: 1 }], d: 2 })).toBe(true);
  for (const present of [undefined, {}, { a: [1] }, { a: [1, { b: 'y' }] }, { a: [1, { b: 'x' }, 2] }]) {
    expect(isContained(wanted, present)).toBe(false);
  }
});

test('each rule of the role of longshore run becomes permissions', () => {
  const permissions = desiredObjects({ ...defaultChoices, userRoles: false }, '1.0.0').flatMap(permissionsOf);
  expect(permissions.length).toBeGreaterThan(60);
  expect(permissions).toContainEqual({
    verb: 'patch',
    group: '',
    resource: 'persistentvolumeclaims/status',
    role: 'ClusterRole longshore-run',
  });
  const settings = permissions.filter(({ name }) => name === 'longshore');
  expect(settings).toMatchObject([{ verb: 'get', resource: 'configmaps', namespace: 'longshore-system' }]);
});

test('findings fit a narrow terminal, with their remedies below', () => {
  const detail =
    'system:serviceaccount:longshore-system:run may not patch persistentvolumes: ClusterRole longshore-run has that rule';
  const lines = findingLines(
    [
      { level: 'problem', subject: 'permissions', detail, remedy: 'longshore install' },
      { level: 'ok', subject: 'clock', detail: 'agrees\u001b[2J' },
    ],
    60,
  );
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
  expect(lines[0]).toMatch(/^✗ permissions +system:serviceaccount/);
  expect(lines).toContain('                 run: longshore install');
  expect(lines.at(-1)).toBe('1 problem');
});
