import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { serviceAccountKubeconfig } from '../../tools/control-plane/manifests.ts';
import { volume } from '../../tools/local/transfer-objects.ts';
import { testClient, testKubeconfig } from './administrator.ts';
import { needs } from './case-needs.ts';
import { refusalOf } from './case-refusal.ts';
import { claimWith, kept, linkSource, selector, snapshot, snapshotGroup, writer } from './case-snapshot-claims.ts';
import { untilBound } from './case-waits.ts';

const { describe: describeChange, test: testChange } = needs('mutating admission');
const client = testClient();
const namespace = `snapshots-${randomBytes(4).toString('hex')}`;
let writes: ReturnType<typeof writer>;
const ours = kept('prod');
let made = 0;

/** Somebody who may do everything with the claims of one namespace, and nothing else. */
beforeAll(async () => {
  await client.createNamespace(namespace);
  const metadata = { namespace, name: 'claims' };
  const apiGroup = 'rbac.authorization.k8s.io';
  const apiVersion = `${apiGroup}/v1`;
  const rules = [{ apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: ['*'] }];
  const roleRef = { apiGroup, kind: 'Role', name: 'claims' };
  const subjects = [{ kind: 'ServiceAccount', namespace, name: 'default' }];
  await client.create({ apiVersion, kind: 'Role', metadata, ...{ rules } });
  await client.create({ apiVersion, kind: 'RoleBinding', metadata, ...{ roleRef, subjects } });
  writes = writer(await serviceAccountKubeconfig(testKubeconfig(), { namespace, name: 'default' }));
});

function claim(spec: object) {
  made += 1;
  return claimWith({ namespace, name: `data-${made}` }, spec);
}
const fromProd = (special: object = {}) => claim({ dataSourceRef: snapshot('prod'), ...special });
const populated = { dataSource: ours, dataSourceRef: ours, selector };

describeChange('a claim with a snapshot of another namespace', () => {
  test('keeps its reference when it is created, and gets the selector', async () => {
    expect((await writes.create(fromProd())).spec).toMatchObject(populated);
  });

  test('keeps its reference when it is applied by the server', async () => {
    expect((await writes.serverSideApply(fromProd())).spec).toMatchObject(populated);
  });

  test('keeps its reference when a controller makes it for a stateful set', async () => {
    const labels = { app: 'shop' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'shop', image: 'shop' }] } };
    const { spec } = fromProd();
    const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec }];
    await client.create({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { namespace, name: 'shop' },
      ...{
        spec: { serviceName: 'shop', replicas: 1, selector: { matchLabels: labels }, template, volumeClaimTemplates },
      },
    });
    const found = await client.until(claimWith({ namespace, name: 'data-shop-0' }, {}));
    expect(found.spec).toMatchObject(populated);
  });

  test('keeps its reference when it names its own namespace', async () => {
    const own = kept(namespace);
    expect((await writes.create(claim({ dataSourceRef: snapshot(namespace) }))).spec).toMatchObject({
      ...{ dataSource: own, dataSourceRef: own, selector },
    });
  });

  test('keeps its reference, and gets no selector, when it names its volume', async () => {
    const { spec } = await writes.create(fromProd({ volumeName: 'volume' }));
    expect(spec).toMatchObject({ dataSourceRef: ours });
    expect(spec).not.toHaveProperty('selector');
  });

  test.each([{ matchLabels: { disk: 'fast' } }, { matchExpressions: [{ key: 'disk', operator: 'Exists' }] }])(
    'keeps its own selector: %j',
    async (own) => {
      expect((await writes.create(fromProd({ selector: own }))).spec).toEqual(
        expect.objectContaining({ selector: own }),
      );
    },
  );

  test.each([{}, { matchLabels: {} }, { matchLabels: {}, matchExpressions: [] }])(
    'is not bound to a volume that lies about by an empty selector, as charts write it: %j',
    async (empty) => {
      for (const manifest of [fromProd({ selector: empty }), claim({ dataSourceRef: linkSource, selector: empty })]) {
        expect((await writes.create(manifest)).spec).toEqual(expect.objectContaining({ selector }));
      }
    },
  );

  test('has its empty selector replaced each time that it is applied', async () => {
    const manifest = fromProd({ selector: {} });
    for (const write of [writes.serverSideApply, writes.serverSideApply, writes.apply]) {
      expect((await write(manifest)).spec).toMatchObject(populated);
    }
  });

  test('is refused when it has an annotation of a transfer as well', async () => {
    const accepting = fromProd();
    Object.assign(accepting.metadata, { annotations: { transferAccept: 'prod/data' } });
    expect(await refusalOf(writes.create(accepting))).toContain(
      'the data of VolumeSnapshotReference prod.backup would be ignored',
    );
  });
});

describeChange('the same manifest again', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['kubectl apply', () => again(writes.create, writes.apply)],
    ['a merge patch', () => again(writes.create, writes.merge)],
    ['a server-side apply', () => again(writes.serverSideApply, writes.serverSideApply)],
    ['a server-side apply of somebody else', () => again(writes.create, writes.serverSideApply)],
    ['a server-side apply and then kubectl apply', () => again(writes.serverSideApply, writes.apply)],
  ])('is taken by %s, and changes nothing', (_, act) => act());

  async function again(first: typeof writes.apply, then: typeof writes.apply) {
    const manifest = fromProd();
    await first(manifest);
    expect((await then(manifest)).spec).toMatchObject(populated);
    // The first time, the server also notes who wrote it; and the second time, that nothing of that is left.
    const { metadata } = await then(manifest);
    expect((await then(manifest)).metadata.resourceVersion).toBe(metadata.resourceVersion);
  }

  test('is taken by kubectl replace, and in the place of the version that was read', async () => {
    const manifest = fromProd();
    const { metadata, spec } = await writes.create(manifest);
    const { resourceVersion } = metadata;
    expect(
      (await writes.replace({ ...manifest, metadata: { ...manifest.metadata, ...{ resourceVersion } } })).spec,
    ).toEqual(spec);
    expect((await writes.replace(manifest)).spec).toEqual(spec);
  });

  test('is taken from many who apply it by the server, one after the other', async () => {
    const manifest = fromProd();
    for (const manager of ['first', 'second', 'first', 'third']) {
      expect((await writes.serverSideApply(manifest, manager)).spec).toMatchObject(populated);
    }
  });

  test('is taken when the claim is bound', async () => {
    const manifest = fromProd();
    await writes.create(manifest);
    const name = `volume-${randomBytes(4).toString('hex')}`;
    const className = manifest.spec.storageClassName;
    await client.create(volume({ name, className, path: '/tmp/bound', claim: manifest.metadata }));
    await untilBound(client, manifest as Claim);
    for (const write of [writes.apply, writes.serverSideApply]) {
      const { spec } = await write({ ...manifest, metadata: { ...manifest.metadata, ...{ labels: { team: 'a' } } } });
      expect(spec).toMatchObject({ ...populated, volumeName: name });
    }
  });

  test.each(['apply', 'merge', 'replace', 'serverSideApply'] as const)(
    'is refused by %s when it names another snapshot',
    async (way) => {
      const manifest = fromProd();
      await (way === 'serverSideApply' ? writes.serverSideApply(manifest) : writes.create(manifest));
      const changed = { ...manifest, spec: { ...manifest.spec, dataSourceRef: snapshot('prod', 'other') } };
      await expect(writes[way](changed)).rejects.toThrow('spec is immutable after creation');
    },
  );

  test.each([{ dataSourceRef: linkSource }, { dataSourceRef: kept('prod') }])(
    'is taken for a claim that had no selector in it: %j',
    async (spec) => {
      const manifest = claim(spec);
      await writes.create(manifest);
      for (const write of [writes.apply, writes.replace]) {
        expect((await write(manifest)).spec).toMatchObject({ ...spec, selector });
      }
    },
  );
});

describe('a claim with a link', () => {
  testChange('gets the selector, and is not bound to a volume that nobody has', async () => {
    const storageClassName = `free-${randomBytes(4).toString('hex')}`;
    const waiting = claim({ storageClassName, dataSourceRef: linkSource });
    expect((await writes.create(waiting)).spec).toMatchObject({ dataSource: linkSource, selector });
    const place = { name: storageClassName, className: storageClassName, path: '/tmp/free' };
    const { claimRef: _, ...spec } = volume({ ...place, claim: { namespace, name: 'x' } }).spec;
    await client.create({ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: storageClassName }, spec });
    const ordinary = claim({ storageClassName });
    await writes.create(ordinary);
    await untilBound(client, ordinary as Claim);
    expect((await client.get<Claim>(waiting as Claim))?.status?.phase).toBe('Pending');
  });

  test('that is given a version as its group is refused by the server', async () => {
    const versioned = { ...linkSource, apiGroup: `${snapshotGroup}/v1alpha1` };
    await expect(writes.create(claim({ dataSourceRef: versioned }))).rejects.toThrow('spec.dataSourceRef.apiGroup');
  });
});

describe('the rules of compatibility', () => {
  const here = snapshot();

  test('1: neither is set', async () => {
    const { spec } = await writes.create(claim({}));
    for (const field of ['dataSource', 'dataSourceRef', 'selector']) expect(spec).not.toHaveProperty(field);
  });

  test('2: dataSource is copied to dataSourceRef', async () => {
    const { spec } = await writes.create(claim({ dataSource: here }));
    expect(spec).toMatchObject({ dataSource: here, dataSourceRef: here });
    expect(spec).not.toHaveProperty('selector');
  });

  test.each([here, snapshot('')])('3: both are the same: %j', async (dataSourceRef) => {
    expect((await writes.create(claim({ dataSource: here, dataSourceRef }))).spec).toMatchObject({ dataSourceRef });
  });

  test.each([snapshot(undefined, 'other'), snapshot('', 'other')])('4: both differ: %j', async (dataSourceRef) => {
    await expect(writes.create(claim({ dataSource: here, dataSourceRef }))).rejects.toThrow('must match dataSourceRef');
  });

  test.each([here, snapshot('')])('5: dataSourceRef without a namespace is copied: %j', async (dataSourceRef) => {
    const { spec } = await writes.create(claim({ dataSourceRef }));
    expect(spec).toMatchObject({ dataSourceRef, dataSource: here });
    expect(spec).not.toHaveProperty('selector');
  });

  testChange(
    '6: dataSourceRef with a namespace is taken, and dataSource is not the snapshot of that name here',
    async () => {
      expect((await writes.create(fromProd())).spec).toMatchObject({ dataSourceRef: ours, dataSource: ours });
    },
  );
});

describe('is refused, instead of being an empty volume or other data', () => {
  test.each([
    snapshot(undefined),
    snapshot(undefined, 'other'),
    { kind: 'PersistentVolumeClaim', name: 'backup' },
    { apiGroup: 'example.com', kind: 'Backup', name: 'backup' },
    ours,
  ])('a second source: %j', async (dataSource) => {
    expect(await refusalOf(writes.create(fromProd({ dataSource })))).toBe(
      'spec.dataSource and a spec.dataSourceRef with a namespace exclude each other: leave out spec.dataSource',
    );
  });

  test.each([
    { kind: 'PersistentVolumeClaim', name: 'data', namespace: 'prod' },
    { apiGroup: 'example.com', kind: 'Backup', name: 'data', namespace: 'prod' },
    { apiGroup: 'example.com', kind: 'VolumeSnapshot', name: 'data', namespace: 'prod' },
    { ...snapshot('prod'), apiGroup: `${snapshotGroup}/v1` },
    { ...linkSource, namespace: 'prod' },
    { ...ours, namespace: 'prod' },
    snapshot('Prod'),
    snapshot('prod.eu'),
    snapshot('a'.repeat(64)),
  ])('what is no snapshot of another namespace: %j', async (dataSourceRef) => {
    const attempts = [writes.create, writes.serverSideApply].map((write) => refusalOf(write(claim({ dataSourceRef }))));
    for (const refusal of await Promise.all(attempts)) {
      expect(refusal).toMatch(/^this cluster drops a spec.dataSourceRef that has a namespace, and the claim would/);
      expect(refusal).toMatch(/kind VolumeSnapshot and apiGroup snapshot.storage.k8s.io, without a version$/);
    }
  });

  test.each([
    'backup',
    'prod.',
    '.backup',
    'Prod.backup',
    'prod.Backup',
    'prod..backup',
    'prod/backup',
    'prod.back up',
  ])('a reference that nobody could follow: %s', async (name) => {
    expect(await refusalOf(writes.create(claim({ dataSourceRef: { ...ours, name } })))).toBe(
      `spec.dataSourceRef refers to a snapshot as '${name}', which is not <namespace>.<name>: write the namespace and the name of the snapshot, such as prod.backup`,
    );
  });

  testChange('a reference that is longer than a namespace and a name are', async () => {
    const longest = `${'a'.repeat(63)}.${'b'.repeat(253)}`;
    expect(await writes.create(claim({ dataSourceRef: { ...ours, name: longest } }), 'All')).toBeDefined();
    for (const name of [`${'a'.repeat(64)}.b`, `a.${'b'.repeat(254)}`]) {
      expect(await refusalOf(writes.create(claim({ dataSourceRef: { ...ours, name } })))).toContain('which is not');
    }
    expect((await writes.create(claim({ dataSourceRef: snapshot('prod', 'a.b-1') }))).spec).toMatchObject({
      dataSourceRef: kept('prod', 'a.b-1'),
    });
  });
});

test('what is left out of a claim that names its volume does no harm', async () => {
  const dataSourceRef = { kind: 'PersistentVolumeClaim', name: 'data', namespace: 'prod' };
  const { spec } = await writes.create(claim({ dataSourceRef, volumeName: 'volume' }));
  expect(spec).not.toHaveProperty('dataSourceRef');
});
