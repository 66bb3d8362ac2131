import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { KubernetesObjectApi, PatchStrategy } from '@kubernetes/client-node';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { serviceAccountKubeconfig } from '../../tools/control-plane/manifests.ts';
import { PatientKubeConfig } from '../../tools/local/patient-kubeconfig.ts';
import { volume } from '../../tools/local/transfer-objects.ts';
import { testClient, testKubeconfig } from './administrator.ts';
import { needs } from './case-needs.ts';
import { refusalOf } from './case-refusal.ts';

const { test: testChange } = needs('mutating admission');
const administrator = testClient();
const namespace = `accept-${randomBytes(4).toString('hex')}`;
const storageClassName = namespace;
const held = { apiGroup: 'longshore.dev', kind: 'Transfer', name: 'accepted' };
const storageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: storageClassName },
  provisioner: 'example.com/none',
};
let user: KubernetesObjectApi;

/** Somebody who may do everything with the claims of one namespace, and nothing else. */
beforeAll(async () => {
  await administrator.createNamespace(namespace);
  await administrator.create(storageClass);
  const metadata = { namespace, name: 'claims' };
  const apiGroup = 'rbac.authorization.k8s.io';
  const apiVersion = `${apiGroup}/v1`;
  const rules = [{ apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: ['*'] }];
  const roleRef = { apiGroup, kind: 'Role', name: 'claims' };
  const subjects = [{ kind: 'ServiceAccount', namespace, name: 'default' }];
  await administrator.create({ apiVersion, kind: 'Role', metadata, ...{ rules } });
  await administrator.create({ apiVersion, kind: 'RoleBinding', metadata, ...{ roleRef, subjects } });
  const config = PatientKubeConfig.fromString(
    await serviceAccountKubeconfig(testKubeconfig(), { namespace, name: 'default' }),
  );
  user = KubernetesObjectApi.makeApiClient(config);
});
afterAll(() => administrator.delete(storageClass));

let made = 0;

function claim(annotations: Record<string, string>, special: object = {}) {
  made += 1;
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim' as const,
    metadata: { namespace, name: `data-${made}`, annotations },
    spec: { ...spec, ...special } as typeof spec & { dataSourceRef?: typeof held; volumeName?: string },
  };
}

const annotate = (of: ReturnType<typeof claim>, annotations: Record<string, string>) =>
  user.patch(
    { apiVersion: of.apiVersion, kind: of.kind, metadata: { namespace, name: of.metadata.name, annotations } },
    ...([undefined, undefined, undefined, undefined, PatchStrategy.MergePatch] as const),
  );

describe('a claim that accepts a transfer', () => {
  testChange('is held and stays pending when the volume controller has asked for a volume', async () => {
    const accepting = claim({ transferAccept: 'prod/data' });
    await user.create(accepting);
    const asked = await administrator.until(accepting, ({ metadata }) =>
      Object.values(metadata.annotations).includes(storageClass.provisioner),
    );
    expect(asked.spec.dataSourceRef).toEqual(held);
    expect(asked).toMatchObject({ spec: { dataSource: held }, status: { phase: 'Pending' } });
    expect(asked.spec.volumeName).toBeUndefined();
  });

  testChange('is not bound to a volume that nobody has, which goes to an ordinary claim', async () => {
    const className = `free-${randomBytes(4).toString('hex')}`;
    const special = { storageClassName: className };
    const accepting = claim({ transferAccept: 'prod/data' }, special);
    const ordinary = claim({}, special);
    await user.create(accepting);
    const { claimRef: _, ...spec } = volume({
      name: className,
      className,
      path: '/tmp/free',
      claim: { namespace, name: 'x' },
    }).spec;
    await administrator.create({ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: className }, spec });
    await user.create(ordinary);
    await administrator.until<Claim>(ordinary, ({ status }) => status?.phase === 'Bound');
    expect((await administrator.get<Claim>(accepting))?.status?.phase).toBe('Pending');
  });

  testChange.each([{}, { matchLabels: {} }, { matchLabels: {}, matchExpressions: [] }])(
    'is not bound to a volume that nobody has by an empty selector, as charts write it: %j',
    async (selector) => {
      const accepting = claim({ transferAccept: 'prod/data' }, { selector });
      const none = { matchLabels: { 'longshore.dev/volume': 'transferred' } };
      expect(await user.create(accepting)).toMatchObject({ spec: { selector: none, dataSourceRef: held } });
    },
  );

  testChange.each([{ matchLabels: { disk: 'fast' } }, { matchExpressions: [{ key: 'disk', operator: 'Exists' }] }])(
    'keeps a selector of its own: %j',
    async (selector) => {
      const { spec } = await user.create(claim({ transferAccept: 'prod/data' }, { selector }));
      expect((spec as { selector?: object }).selector).toEqual(selector);
    },
  );

  test('can be held by who writes it', async () => {
    const accepting = claim({ transferAccept: 'prod/data' }, { dataSourceRef: held });
    expect(await user.create(accepting)).toMatchObject({ spec: { dataSourceRef: held } });
  });

  test('is not touched when it names its volume', async () => {
    const accepting = claim({ transferAccept: 'prod/data' }, { volumeName: 'volume' });
    expect(await user.create(accepting)).not.toHaveProperty('spec.dataSourceRef');
  });

  testChange('can be applied again as it was written', async () => {
    const accepting = claim({ transferAccept: 'prod/data' });
    const apply = () => user.patch(accepting, undefined, undefined, 'user', true, PatchStrategy.ServerSideApply);
    expect(await apply()).toMatchObject({ spec: { dataSourceRef: held } });
    expect(await apply()).toMatchObject({ spec: { dataSourceRef: held } });
  });

  test.each([
    { dataSource: { kind: 'PersistentVolumeClaim', name: 'other' } },
    { dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'other' } },
    { dataSourceRef: { ...held, name: 'other' } },
    { dataSourceRef: { ...held, name: 'other' }, volumeName: 'volume' },
  ])('has no other data: %j is refused', async (special) => {
    const { kind, name } = special.dataSource ?? special.dataSourceRef;
    expect(await refusalOf(user.create(claim({ transferAccept: 'prod/data' }, special)))).toBe(
      `a claim with the annotation transferAccept gets the volume of another claim, and the data of ${kind} ${name} would be ignored: leave out spec.dataSource and spec.dataSourceRef, or leave out the annotation`,
    );
  });

  test('is refused when the server drops its data source, and told what to write', async () => {
    const dropped = { dataSource: { apiGroup: 'example.com', kind: 'Backup', name: 'other' } };
    expect(await refusalOf(user.create(claim({ transferAccept: 'prod/data' }, dropped)))).toBe(
      'a claim with the annotation transferAccept would get a new, empty volume before its own volume arrives: set spec.dataSourceRef: {apiGroup: longshore.dev, kind: Transfer, name: accepted}. To keep it from being bound to any other free volume, also set spec.selector: {matchLabels: {longshore.dev/volume: transferred}}',
    );
  });
});

describe.each(['transferAccept', 'transferRequest'])('the annotation %s', (annotation) => {
  test.each(['', 'data', 'prod/', '/data', 'prod/data/more', 'Prod/data', 'prod/ data'])(
    'is refused as "%s", at once and later',
    async (value) => {
      const message = `the annotation ${annotation} is '${value}', which is not <namespace>/<name>: write the namespace and the name of the claim on the other side, such as prod/data, or leave the annotation out`;
      expect(await refusalOf(user.create(claim({ [annotation]: value })))).toBe(message);
      const ordinary = claim({});
      await user.create(ordinary);
      expect(await refusalOf(annotate(ordinary, { [annotation]: value }))).toBe(message);
    },
  );

  test('is taken when it names a claim, at once and later', async () => {
    const special = annotation === 'transferAccept' ? { dataSourceRef: held } : {};
    expect(await user.create(claim({ [annotation]: 'prod/data.part-1' }, special))).toBeDefined();
    const ordinary = claim({});
    await user.create(ordinary);
    expect(await annotate(ordinary, { [annotation]: 'prod/data' })).toMatchObject({
      metadata: { annotations: { [annotation]: 'prod/data' } },
    });
  });
});

test('an ordinary claim is as it was written', async () => {
  const source = { kind: 'PersistentVolumeClaim', name: 'other' };
  const ordinary = claim({ team: 'a' }, { dataSourceRef: source });
  await user.create(ordinary);
  const found = await administrator.until(ordinary);
  expect(found.metadata.annotations.team).toBe('a');
  expect(found.spec).toMatchObject({ dataSourceRef: source, dataSource: source });
  const plain = claim({});
  expect(await user.create(plain)).not.toHaveProperty('spec.dataSourceRef');
});
