import { beforeEach, describe, expect, test } from '@jest/globals';
import { removalText } from '../../../cli/install/removal-text.ts';
import { applyPlan } from '../../../lib/install/apply-plan.ts';
import { makePlan } from '../../../lib/install/make-plan.ts';
import { planRemoval, removesAnything } from '../../../lib/install/removal.ts';
import { remove } from '../../../lib/install/remove.ts';
import { realClock } from '../../../lib/runtime/clock.ts';
import { MemoryApi } from './memory-api.ts';

const now = new Date('2026-11-20T12:00:00Z');
const namespacePath = '/api/v1/namespaces/longshore-system';
const paths = {
  Secret: `${namespacePath}/secrets`,
  ConfigMap: `${namespacePath}/configmaps`,
  PersistentVolumeClaim: `${namespacePath}/persistentvolumeclaims`,
  ServiceAccount: `${namespacePath}/serviceaccounts`,
  Pod: `${namespacePath}/pods`,
  Event: `${namespacePath}/events`,
  Service: `${namespacePath}/services`,
  Deployment: '/apis/apps/v1/namespaces/longshore-system/deployments',
  ReplicaSet: '/apis/apps/v1/namespaces/longshore-system/replicasets',
  Lease: '/apis/coordination.k8s.io/v1/namespaces/longshore-system/leases',
  NetworkPolicy: '/apis/networking.k8s.io/v1/namespaces/longshore-system/networkpolicies',
  RoleBinding: '/apis/rbac.authorization.k8s.io/v1/namespaces/longshore-system/rolebindings',
} as const;
type Kind = keyof typeof paths;
type Fields = { metadata?: object; [field: string]: unknown };

let api: MemoryApi;
let said: string[];
const options = () => ({
  clock: realClock,
  deadlineMs: realClock.elapsedMs() + 10_000,
  progress: (line: string) => void said.push(line),
});
const install = async () => applyPlan(api, await makePlan(api, { version: '1.0.0' }), options());
const planned = () => planRemoval(api, now);
const uninstall = async () => remove(api, await planned(), options());

function put(kind: Kind, name: string, { metadata, ...fields }: Fields = {}): string {
  const path = `${paths[kind]}/${name}`;
  const own = { name, namespace: 'longshore-system', ...metadata };
  api.changeAs('somebody', path, { apiVersion: 'v1', kind, metadata: own, ...fields });
  return path;
}

const why = async () => (await planned()).left.find(({ object }) => object.kind === 'Namespace')?.why;

beforeEach(async () => {
  api = new MemoryApi();
  said = [];
});

const ofRun = { 'app.kubernetes.io/name': 'longshore', 'app.kubernetes.io/component': 'run' };
const installed = { 'app.kubernetes.io/name': 'longshore', 'app.kubernetes.io/managed-by': 'longshore-install' };
const probe = 'longshore-install-probe';
const populating = (uid: string): Fields => ({
  metadata: { annotations: { 'longshore.dev/populates': `a/b/${uid}` } },
});
const ownedBy = (uid: string, kind: string, apiVersion = 'apps/v1') => ({
  metadata: { ownerReferences: [{ uid, kind, apiVersion, name: 'owner' }] },
});
const tokenOf = (account: string): Fields => ({
  type: 'kubernetes.io/service-account-token',
  metadata: { annotations: { 'kubernetes.io/service-account.name': account } },
});

describe('what is in the namespace', () => {
  beforeEach(install);

  test('of others makes it stay, with everything of theirs, and what is ours is removed', async () => {
    const theirs = [put('Secret', 'db'), put('Secret', 'registry'), put('PersistentVolumeClaim', 'data')];
    const ours = put('Lease', 'forward.longshore');
    const plan = await planned();
    expect(removalText(plan)).toContain(
      "namespace/longshore-system is left: it holds 2 Secrets and 1 PersistentVolumeClaim (secret/db, secret/registry, persistentvolumeclaim/data) that are not Longshore's",
    );
    expect(removalText(plan)).toContain('To remove in the namespace:\n  lease/forward.longshore');
    await uninstall();
    expect([...api.objects.keys()].toSorted()).toEqual([namespacePath, ...theirs].toSorted());
    expect(api.objects.has(ours)).toBe(false);
    const again = await planned();
    expect(removesAnything(again)).toBe(false);
    expect(removalText(again)).toMatch(/^Nothing that longshore install has installed is to be removed\.\nnamespace\//);
    for (const path of theirs) api.objects.delete(path);
    await uninstall();
    expect([...api.objects.keys()]).toEqual([]);
  });

  test.each<[string, () => unknown]>([
    ['a workload', () => put('Deployment', 'web')],
    ['a Deployment of our name and of other labels', () => put('Deployment', 'longshore-run')],
    ['a claim', () => put('PersistentVolumeClaim', 'populate-me')],
    ['a claim with our labels', () => put('PersistentVolumeClaim', 'data', { metadata: { labels: installed } })],
    ['a claim made from a copy', () => put('PersistentVolumeClaim', 'data', populating('uid-1'))],
    ['a claim named like a copy', () => put('PersistentVolumeClaim', 'populate-', populating(''))],
    ['a claim named like the probe', () => put('PersistentVolumeClaim', probe, { spec: { volumeName: 'pvc-1' } })],
    ['a policy of the network', () => put('NetworkPolicy', 'closed')],
    ['a service account', () => put('ServiceAccount', 'ci')],
    ['a Secret for a driver', () => put('Secret', 'minio')],
    ['a token of a service account of others', () => [put('ServiceAccount', 'ci'), put('Secret', 't', tokenOf('ci'))]],
    ['a pod whose owner is elsewhere', () => put('Pod', 'p', ownedBy('elsewhere', 'Node', 'v1'))],
    [
      'a binding to a role of others',
      () => put('RoleBinding', 'b', { roleRef: { kind: 'ClusterRole', name: 'longshore-run' } }),
    ],
  ])('such as %s makes it stay', async (_, make) => {
    make();
    expect(await why()).toMatch(/^it holds .* not Longshore's$/);
  });

  test.each<[string, () => unknown]>([
    ['the account of each namespace', () => put('ServiceAccount', 'default')],
    ['its token', () => put('Secret', 'default-token', tokenOf('default'))],
    ['the certificates of each namespace', () => put('ConfigMap', 'kube-root-ca.crt')],
    ['Events', () => put('Event', 'longshore-run.17f')],
    ['the switch', () => put('ConfigMap', 'longshore')],
    ['the report of orphans', () => put('ConfigMap', 'bucket-orphans')],
    ['the lease', () => put('Lease', 'forward.longshore')],
    ['a token of our service account', () => put('Secret', 'run', tokenOf('run'))],
    ['the credentials of a driver', () => put('Secret', 'bucket-1', ownedBy('c', 'BucketContent', 'cosi.io/v1alpha1'))],
    ['a binding to our role', () => put('RoleBinding', 'eks', { roleRef: { kind: 'Role', name: 'longshore-run' } })],
    ['a copy of a snapshot', () => put('PersistentVolumeClaim', 'populate-uid-1', populating('uid-1'))],
    ['the probe of a policy', () => put('PersistentVolumeClaim', probe, { spec: { volumeName: probe } })],
    ['what is being deleted', () => put('Pod', 'p', { metadata: { deletionTimestamp: '2026-11-20T11:59:00Z' } })],
    [
      'our Deployment and its Service, with what is made of it',
      () => {
        put('Service', 'longshore-run', { metadata: { labels: ofRun } });
        const uid = `uid-${put('Deployment', 'longshore-run', { metadata: { labels: ofRun } })}`;
        const owned = `uid-${put('ReplicaSet', 'longshore-run-1', ownedBy(uid, 'Deployment'))}`;
        put('Pod', 'longshore-run-1-a', ownedBy(owned, 'ReplicaSet'));
      },
    ],
  ])('such as %s does not keep it', async (_, make) => {
    make();
    expect(await why()).toBeUndefined();
  });

  test('and cannot be seen makes it stay as well', async () => {
    api.denied.add('list secrets');
    const expected = 'nobody can tell what else it holds, as these could not be listed: secrets';
    expect(await why()).toBe(expected);
    await uninstall();
    expect([...api.objects.keys()]).toEqual([namespacePath]);
  });

  test('and comes after the question makes it stay', async () => {
    put('Lease', 'forward.longshore');
    const plan = await planned();
    const secret = put('Secret', 'db');
    await remove(api, plan, options());
    expect([...api.objects.keys()].toSorted()).toEqual([namespacePath, secret].toSorted());
    expect(said).toContain("namespace/longshore-system is left: it holds 1 Secret (secret/db) that is not Longshore's");
  });

  test('of ours is only removed by itself by who may do that', async () => {
    put('Secret', 'db');
    put('Lease', 'forward.longshore');
    api.denied.add('delete leases');
    await expect(planned()).rejects.toThrow('\n- leases.coordination.k8s.io in longshore-system: delete');
  });
});

describe('a namespace that was there before', () => {
  beforeEach(async () => {
    const labels = { team: 'storage' };
    api.changeAs('kubectl-create', namespacePath, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'longshore-system', labels },
    });
    await install();
  });

  test('stays, without our labels, also after another installation', async () => {
    await install();
    expect(await why()).toBe('it was there before Longshore was installed');
    await uninstall();
    expect([...api.objects.keys()]).toEqual([namespacePath]);
    const { labels, annotations } = api.objects.get(namespacePath)?.metadata ?? {};
    expect([labels, annotations ?? {}]).toEqual([{ team: 'storage' }, {}]);
    const again = await planned();
    expect([removesAnything(again), removalText(again)]).toEqual([
      false,
      'Nothing that longshore install has installed is there.',
    ]);
  });
});
