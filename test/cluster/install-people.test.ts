import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ClusterApi } from '../../cli/connect/cluster-api.ts';
import { serviceAccountKubeconfig } from '../../tools/control-plane/manifests.ts';
import { until } from '../support/patience.ts';
import { testClient, testKubeconfig } from './administrator.ts';
import { administratorsApi } from './case-install.ts';

/** What the users of a namespace may do, by the roles that every cluster has: docs/decisions/0064. */

const people = ['view', 'edit', 'admin'] as const;
type Person = (typeof people)[number];
const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' };
const roleRef = (name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name });
const suffix = Math.random().toString(36).slice(2, 8);
const namespace = `people-${suffix}`;
let administrator: { api: ClusterApi; close: () => void };
let folder: string;
const clients = new Map<Person, { api: ClusterApi; close: () => void }>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'people-'));
  administrator = await administratorsApi(testKubeconfig());
  const { api } = administrator;
  await testClient().createNamespace(namespace);
  for (const name of people) {
    await api.create(`/api/v1/namespaces/${namespace}/serviceaccounts`, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name },
    });
    await api.create(`/apis/${rbac.apiVersion}/namespaces/${namespace}/rolebindings`, {
      ...rbac,
      kind: 'RoleBinding',
      metadata: { name },
      roleRef: roleRef(name),
      subjects: [{ kind: 'ServiceAccount', namespace, name }],
    });
    const path = join(folder, name);
    await writeFile(path, await serviceAccountKubeconfig(testKubeconfig(), { namespace, name }));
    clients.set(name, await administratorsApi(path, name));
  }
  // A controller of the cluster adds the roles up.
  const isAdded = () => may('admin', 'create', 'transfer.storage.k8s.io', 'storagetransferapprovals');
  await until('the rights to be added to admin', isAdded);
});
afterAll(async () => {
  for (const { close } of [administrator, ...clients.values()]) close?.();
  await rm(folder, { recursive: true, force: true });
});

async function may(person: Person, verb: string, group: string, resource: string, inside = namespace) {
  const [plural, subresource] = resource.split('/');
  const attributes = { verb, group, resource: plural, ...(subresource ? { subresource } : {}), namespace: inside };
  const review = await administrator.api.create<{ status: { allowed: boolean } }>(
    '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: {
        user: `system:serviceaccount:${namespace}:${person}`,
        groups: ['system:serviceaccounts', 'system:authenticated'],
        resourceAttributes: attributes,
      },
    },
  );
  return review.status.allowed;
}

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
const nothing: readonly string[] = [];
const read = ['get', 'list', 'watch'];
const all = verbs;

test.each<[string, string, Record<Person, readonly string[]>]>([
  ['transfer.storage.k8s.io', 'storagetransferrequests', { view: read, edit: all, admin: all }],
  ['transfer.storage.k8s.io', 'storagetransferapprovals', { view: read, edit: read, admin: all }],
  ['gateway.networking.k8s.io', 'referencegrants', { view: read, edit: read, admin: all }],
  ['snapshot.storage.k8s.io', 'volumesnapshotlinks', { view: read, edit: all, admin: all }],
  ['snapshot.storage.k8s.io', 'volumesnapshots', { view: read, edit: read, admin: read }],
  ['snapshot.storage.k8s.io', 'volumesnapshotcontents', { view: nothing, edit: nothing, admin: nothing }],
  ['cosi.io', 'buckets', { view: read, edit: [...read, 'create', 'delete'], admin: [...read, 'create', 'delete'] }],
  ['cosi.io', 'buckets/status', { view: nothing, edit: nothing, admin: nothing }],
  ['cosi.io', 'bucketcontents', { view: nothing, edit: nothing, admin: nothing }],
  ['cosi.io', 'cosiregistrations', { view: nothing, edit: nothing, admin: nothing }],
  ['transfer.storage.k8s.io', 'storagetransferrequests/status', { view: nothing, edit: nothing, admin: nothing }],
  ['transfer.storage.k8s.io', 'storagetransferapprovals/status', { view: nothing, edit: nothing, admin: nothing }],
  ['longshore.dev', 'marks', { view: nothing, edit: nothing, admin: nothing }],
])('%s %s: who may do what in the namespace, and nothing in another one', async (group, resource, wanted) => {
  const asked = group === 'longshore.dev' ? ['write'] : verbs;
  const found = { view: [] as string[], edit: [] as string[], admin: [] as string[] };
  for (const person of people) {
    for (const verb of asked) if (await may(person, verb, group, resource)) found[person].push(verb);
    for (const verb of asked) expect(await may(person, verb, group, resource, 'default')).toBe(false);
  }
  expect(found).toEqual(wanted);
});

describe('against the server itself', () => {
  const as = (person: Person) => clients.get(person)?.api as ClusterApi;
  const transfers = `/apis/transfer.storage.k8s.io/v1alpha1/namespaces/${namespace}`;
  const own = (kind: string, name: string, spec: object) => ({
    apiVersion: 'transfer.storage.k8s.io/v1alpha1',
    kind,
    metadata: { name },
    spec,
  });
  const source = { name: 'data', kind: 'PersistentVolumeClaim' };
  const request = (name: string) =>
    own('StorageTransferRequest', name, {
      source: { ...source, namespace: 'prod' },
      approvalName: 'none',
      targetName: 'data',
    });
  const approval = (name: string) =>
    own('StorageTransferApproval', name, { source, targetNamespace: 'stage', requestName: 'none' });

  test('an editor asks for a volume, and gives none away', async () => {
    await as('edit').create(`${transfers}/storagetransferrequests`, request('asked'));
    const giving = as('edit').create(`${transfers}/storagetransferapprovals`, approval('given'));
    await expect(giving).rejects.toMatchObject({ class: 'denied' });
  });

  test('an administrator of the namespace gives one away', async () => {
    await as('admin').create(`${transfers}/storagetransferapprovals`, approval('given'));
    expect(await as('view').get(`${transfers}/storagetransferapprovals/given`)).toBeDefined();
  });

  test('who only views asks for nothing', async () => {
    const asking = as('view').create(`${transfers}/storagetransferrequests`, request('viewed'));
    await expect(asking).rejects.toMatchObject({ class: 'denied' });
  });

  test('an editor makes a Bucket and deletes it, and cannot take its finalizer', async () => {
    const buckets = `/apis/cosi.io/v1alpha1/namespaces/${namespace}/buckets`;
    const spec = { bucketClassName: 'none', secretName: 'none' };
    await as('edit').create(buckets, { apiVersion: 'cosi.io/v1alpha1', kind: 'Bucket', metadata: { name: 'b' }, spec });
    const freed = as('edit').patch(`${buckets}/b`, { metadata: { finalizers: [] } });
    await expect(freed).rejects.toMatchObject({ class: 'denied' });
    expect(await as('edit').delete(`${buckets}/b`)).toBe(true);
  });

  test('classes are seen by who may view the whole cluster, and not by who views a namespace', async () => {
    const classes = '/apis/cosi.io/v1alpha1/bucketclasses';
    await expect(as('admin').list(classes)).rejects.toMatchObject({ class: 'denied' });
    const bindings = `/apis/${rbac.apiVersion}/clusterrolebindings`;
    const name = `view-${namespace}`;
    await administrator.api.create(bindings, {
      ...rbac,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: roleRef('view'),
      subjects: [{ kind: 'ServiceAccount', namespace, name: 'view' }],
    });
    await until('the right to count', () =>
      as('view')
        .list(classes)
        .then(Array.isArray, () => false),
    );
    await expect(as('view').list('/apis/cosi.io/v1alpha1/bucketcontents')).rejects.toMatchObject({ class: 'denied' });
    await administrator.api.delete(`${bindings}/${name}`);
  });
});
