import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CoreV1Api, type KubeConfig, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import type { Claim, ClusterObject } from '../../lib/kubernetes/objects.ts';
import { serviceAccountKubeconfig } from '../../tools/control-plane/manifests.ts';
import { PatientKubeConfig } from '../../tools/local/patient-kubeconfig.ts';
import { claim, volume } from '../../tools/local/transfer-objects.ts';
import { testClient, testKubeconfig } from './administrator.ts';
import { refusalOf } from './case-refusal.ts';

const cluster = testClient();
const suffix = randomBytes(4).toString('hex');
const namespace = `marks-${suffix}`;
const className = 'made-by-hand';
const statusAnnotation = 'pvc.kubernetes.io/transfer-status';
const fence = 'longshore.dev/transfer';
const claims = {
  apiGroups: [''],
  resources: ['persistentvolumeclaims', 'persistentvolumeclaims/status'],
  verbs: ['*'],
};
const marks = { apiGroups: ['longshore.dev'], resources: ['marks'], verbs: ['write'] };

/** What somebody does with the claims of the namespace. */
function actingBy(config: KubeConfig) {
  const api = config.makeApiClient(CoreV1Api);
  const merging = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
  const change = ({ metadata: { name, namespace = '' } }: Claim, metadata: object) => ({
    ...{ name, namespace, body: { metadata } },
  });
  return {
    create: (body: object) => api.createNamespacedPersistentVolumeClaim({ namespace, body }),
    change: (of: Claim, metadata: object) => api.patchNamespacedPersistentVolumeClaim(change(of, metadata), merging),
    changeByStatus: (of: Claim, metadata: object) =>
      api.patchNamespacedPersistentVolumeClaimStatus(change(of, metadata), merging),
    delete: ({ metadata: { name, namespace = '' } }: Claim) =>
      api.deleteNamespacedPersistentVolumeClaim({ name, namespace }),
  };
}

/** A service account of the namespace that has this role. */
async function accountWith(kind: 'Role' | 'ClusterRole', rules: object[]) {
  const name = `${namespace}-${kind.toLowerCase()}`;
  await cluster.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name } });
  for (const object of roleObjects(kind, name, rules)) await cluster.create(object);
  const config = PatientKubeConfig.fromString(await serviceAccountKubeconfig(testKubeconfig(), { namespace, name }));
  return actingBy(config);
}

function roleObjects(kind: 'Role' | 'ClusterRole', name: string, rules: object[]) {
  const apiGroup = 'rbac.authorization.k8s.io';
  const common = { apiVersion: `${apiGroup}/v1`, metadata: { ...(kind === 'Role' ? { namespace } : {}), name } };
  const subjects = [{ kind: 'ServiceAccount', namespace, name }];
  return [
    { ...common, kind, rules },
    { ...common, kind: `${kind}Binding`, roleRef: { apiGroup, kind, name }, subjects },
  ];
}

const ofAdministrator = PatientKubeConfig.fromFile(testKubeconfig());
const administrator = actingBy(ofAdministrator);
/** May do everything with the claims of the namespace, and nothing else. */
let user: ReturnType<typeof actingBy>;
/** May write marks as well, as Longshore's functions may. */
let marker: ReturnType<typeof actingBy>;

beforeAll(async () => {
  await cluster.createNamespace(namespace);
  user = await accountWith('Role', [claims]);
  marker = await accountWith('ClusterRole', [claims, marks]);
});
afterAll(async () => {
  for (const object of roleObjects('ClusterRole', `${namespace}-clusterrole`, [])) await cluster.delete(object);
});

let made = 0;

function newClaim(metadata: Partial<ClusterObject['metadata']> = {}, spec: Claim['spec'] = {}): Claim {
  made += 1;
  const plain = claim({ namespace, name: `data-${made}` }, className);
  return { ...plain, metadata: { ...plain.metadata, ...metadata }, spec: { ...plain.spec, ...spec } };
}

async function existing(metadata: Partial<ClusterObject['metadata']> = {}): Promise<Claim> {
  return cluster.create(newClaim(metadata));
}

const only = 'Only users who may write marks in the API group longshore.dev can add, change or remove it';

describe("a mark of Longshore's", () => {
  const forged = [
    [`annotation ${fence}`, { annotations: { [fence]: 'a/b/c' } }],
    [`annotation ${statusAnnotation}`, { annotations: { [statusAnnotation]: 'other' } }],
    [`finalizer ${fence}`, { finalizers: [fence] }],
  ] as const;

  test.each(forged)('is not forged by a user: %s', async (mark, metadata) => {
    const atOnce = newClaim(metadata as object);
    expect(await refusalOf(user.create(atOnce))).toBe(`the ${mark} belongs to Longshore: leave it out. ${only}`);
    const later = await existing();
    const message = `the ${mark} belongs to Longshore: leave it unchanged. ${only}`;
    expect(await refusalOf(user.change(later, metadata))).toBe(message);
    expect(await refusalOf(user.changeByStatus(later, metadata))).toBe(message);
  });

  test('that says that a volume is safe is not added by a user to a claim that is there', async () => {
    const plain = await existing();
    const message = `the annotation ${statusAnnotation} belongs to Longshore: leave it unchanged. ${only}`;
    const pending = { annotations: { [statusAnnotation]: 'pending' } };
    expect(await refusalOf(user.change(plain, pending))).toBe(message);
    expect(await refusalOf(user.changeByStatus(plain, pending))).toBe(message);
  });

  test('is neither changed nor removed by a user', async () => {
    const fenced = await existing({ finalizers: [fence], annotations: { [fence]: 'a/b/c', [statusAnnotation]: 'x' } });
    for (const annotations of [{ [fence]: 'd/e/f' }, { [fence]: null }, { [statusAnnotation]: null }]) {
      const message = `the annotation ${Object.keys(annotations)[0]} belongs to Longshore: leave it unchanged. ${only}`;
      expect(await refusalOf(user.change(fenced, { annotations }))).toBe(message);
    }
    const message = `the finalizer ${fence} belongs to Longshore: leave it unchanged. ${only}`;
    expect(await refusalOf(user.change(fenced, { finalizers: null }))).toBe(message);
  });

  test('may come out of a backup when it says where a claim came from, and stays as it is then', async () => {
    const restored = newClaim({ annotations: { 'longshore.dev/transferred-from': 'prod/data' } });
    await user.create(restored);
    const change = { annotations: { 'longshore.dev/transferred-from': 'prod/other' } };
    expect(await refusalOf(user.change(restored, change))).toContain('annotation longshore.dev/transferred-from');
  });

  test.each([
    ['who may write marks', () => marker],
    ['an administrator', () => administrator],
  ])('is written, changed and removed by %s', async (_, who) => {
    const marked = newClaim({ finalizers: [fence], annotations: { [fence]: 'a/b/c' } });
    await who().create(marked);
    await who().change(marked, { annotations: { [fence]: 'd/e/f', [statusAnnotation]: 'pending' } });
    await who().change(marked, { annotations: { [fence]: null, [statusAnnotation]: null }, finalizers: null });
    const { metadata } = await cluster.until(marked);
    expect(metadata.finalizers ?? []).not.toContain(fence);
    expect(metadata.annotations ?? {}).not.toHaveProperty([fence]);
  });

  test('leaves everything else of a claim to its user and to the cluster, which binds, protects and deletes it', async () => {
    const marked = newClaim({ annotations: { [fence]: 'a/b/c' } });
    await cluster.create(
      volume({ name: `volume-${suffix}`, className, path: '/tmp/marks', claim: marked.metadata as never }),
    );
    await marker.create(marked);
    const isBound = ({ status, metadata }: Claim) =>
      status?.phase === 'Bound' && metadata.finalizers?.includes('kubernetes.io/pvc-protection') === true;
    await cluster.until<Claim>(marked, isBound);
    await user.change(marked, { labels: { team: 'a' }, annotations: { team: 'a' } });
    const { metadata } = await cluster.until<Claim>(marked);
    await user.change(marked, { finalizers: [...(metadata.finalizers ?? []), 'example.com/mine'] });
    await user.change(marked, { finalizers: metadata.finalizers });
    await user.delete(marked);
    await cluster.untilGone(marked);
  });
});
