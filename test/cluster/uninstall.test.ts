import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ClusterApi } from '../../cli/connect/cluster-api.ts';
import { applyPlan } from '../../lib/install/apply-plan.ts';
import { makePlan } from '../../lib/install/make-plan.ts';
import { planRemoval } from '../../lib/install/removal.ts';
import { remove } from '../../lib/install/remove.ts';
import { realClock } from '../../lib/runtime/clock.ts';
import { startControlPlane } from '../../tools/control-plane/control-plane.ts';
import type { ControlPlane } from '../../tools/control-plane/control-plane-options.ts';
import { claim, heldByHand } from '../../tools/local/transfer-objects.ts';
import { type Ended, longshore } from '../support/longshore-command.ts';
import { defaultWaitMs, until } from '../support/patience.ts';
import { administratorsApi, everythingIn, interruptedAfter } from './case-install.ts';

/** On a control plane in which nothing of Longshore is, one test after the other. */

const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const buckets = '/apis/cosi.io/v1alpha1/namespaces/default/buckets';
const namespaces = '/api/v1/namespaces';
const secrets = `${namespaces}/longshore-system/secrets`;
const leases = '/apis/coordination.k8s.io/v1/namespaces/longshore-system/leases';
const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
let controlPlane: ControlPlane;
let administrator: { api: ClusterApi; close: () => void };
let before: string[];

beforeAll(async () => {
  controlPlane = await startControlPlane({ own: true });
  administrator = await administratorsApi(controlPlane.kubeconfigPath);
  // Namespaces and the roles that add up others come in the first seconds.
  let last = '';
  await until('a control plane in which nothing changes any more', async () => {
    const now = (await everythingIn(api())).join('\n');
    const isSame = now === last && now.includes('extension-apiserver-authentication');
    last = now;
    return isSame;
  });
  before = await everythingIn(api());
  expect((await run('install', '--yes', '--function-roles')).code).toBe(0);
});
afterAll(async () => {
  administrator?.close();
  await controlPlane?.stop();
});

const api = () => administrator.api;
const run = (...args: string[]): Promise<Ended> => longshore(args, { kubeconfig: controlPlane.kubeconfigPath });

test('the comparison notices what is installed', async () => {
  const now = await everythingIn(api());
  const added = now.filter((each) => !before.includes(each));
  expect(added.length).toBeGreaterThan(80);
  expect(added).toEqual(expect.arrayContaining([expect.stringMatching(/^edit may .*storagetransferrequests/)]));
});

test('it refuses as long as something needs it, says what to do, and removes nothing', async () => {
  const installed = await everythingIn(api());
  const own = { apiVersion: 'cosi.io/v1alpha1', kind: 'Bucket', metadata: { name: 'reports' } };
  await api().create(buckets, { ...own, spec: { bucketClassName: 'small', secretName: 'reports' } });
  const { metadata, ...accepting } = heldByHand(claim({ namespace: 'default', name: 'data' }, 'any'));
  const annotations = { transferAccept: 'prod/data' };
  await api().create(claims, { ...accepting, metadata: { ...metadata, annotations } });
  const renewTime = new Date().toISOString().replace('Z', '000Z');
  await api().create(leases, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'forward.longshore' },
    spec: { holderIdentity: 'a-process', renewTime, leaseDurationSeconds: 600 },
  });
  const { code, err } = await run('uninstall', '--yes');
  expect([code, err]).toEqual([1, expect.stringContaining('  Bucket: default/reports\n    delete it while')]);
  expect(err).toContain('claim that Longshore works on or holds: default/data');
  expect(err).toContain('Lease that somebody renews: longshore-system/forward.longshore');
  const now = await everythingIn(api());
  expect(installed.filter((each) => !now.includes(each))).toEqual([]);
  for (const path of [`${buckets}/reports`, `${claims}/data`, `${leases}/forward.longshore`]) await api().delete(path);
});

test('without a terminal it removes nothing unasked', async () => {
  const { code } = await run('uninstall');
  expect(code).toBe(2);
  expect((await run('uninstall', '--dry-run')).code).toBe(3);
  expect((await run('install', '--dry-run')).code).toBe(0);
});

test.each([1, 30])('Ctrl-C after %d objects leaves what the next run completes', async (count) => {
  const args = ['uninstall', '--yes'];
  const { code } = await longshore(args, { kubeconfig: controlPlane.kubeconfigPath, ...interruptedAfter(count) });
  expect(code).toBe(130);
  expect((await run('uninstall', '--dry-run')).code).toBe(3);
});

test('it leaves nothing, and nothing that is not ours is gone', async () => {
  const metadata = { name: 'longshore-of-others', labels: { 'app.kubernetes.io/name': 'longshore' } };
  await api().create(roles, { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata, rules: [] });
  await api().create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'of-others' } });
  const { code, out } = await run('uninstall', '--yes');
  expect([code, out]).toEqual([0, expect.stringContaining('Longshore is removed from context local')]);
  expect(out).toContain(
    "namespace/longshore-system is left: it holds 1 Secret (secret/of-others) that is not Longshore's",
  );
  expect(await api().get(`${secrets}/of-others`)).toBeDefined();
  await api().delete(`${secrets}/of-others`);
  expect((await run('uninstall', '--yes')).code).toBe(0);
  await api().delete(`${roles}/longshore-of-others`);
  let now: string[] = [];
  // The roles that add up others are written by a controller of the cluster.
  await until(
    'the same objects as before',
    async () => {
      now = await everythingIn(api());
      return JSON.stringify(now) === JSON.stringify(before);
    },
    { found: () => now.filter((each) => !before.includes(each)).concat(before.filter((each) => !now.includes(each))) },
  );
});

test('and finds nothing to do then', async () => {
  const { code, out } = await run('uninstall', '--yes');
  expect([code, out.trim()]).toEqual([0, 'Nothing that longshore install has installed is there.']);
});

test('a namespace that was there before is left as it was', async () => {
  await api().create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'longshore-system' } });
  const waiting = { clock: realClock, deadlineMs: realClock.elapsedMs() + defaultWaitMs, progress: () => {} };
  const least = { capabilities: ['buckets'], runRole: false, userRoles: false, referenceGrants: false } as const;
  await applyPlan(api(), await makePlan(api(), { version: '1.0.0', given: least }), waiting);
  await remove(api(), await planRemoval(api(), new Date()), waiting);
  const { metadata } = (await api().get(`${namespaces}/longshore-system`)) ?? {};
  expect(metadata?.labels).toEqual({ 'kubernetes.io/metadata.name': 'longshore-system' });
  expect(metadata?.annotations).toBeUndefined();
});
