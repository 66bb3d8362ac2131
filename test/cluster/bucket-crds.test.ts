import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { collectionPath, resources } from '../../lib/kubernetes/resources.ts';
import { testClient, testKubeconfig } from './administrator.ts';
import { untilCounted } from './case-quota.ts';

const client = testClient();
const suffix = randomBytes(4).toString('hex');
const namespace = `bucket-kinds-${suffix}`;
const { bucket, bucketClass, bucketContent, registration } = resources;
type Fields = Record<string, unknown>;
let connection: Connection;

/** What the server says to a call: the object, or why it refuses it. */
async function said(method: 'POST' | 'PATCH' | 'GET', path: string, body?: object, accept?: string) {
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const call = { method, path, contentType, ...(body ? { body } : {}), ...(accept ? { accept } : {}) };
  const { status, body: text } = await connection.send(call);
  return status < 300 ? JSON.parse(text) : String(JSON.parse(text).message);
}

const placeOf = (resource: Resource) => collectionPath(resource, resource.namespaced ? namespace : undefined);
const named = ({ apiVersion, kind, namespaced }: Resource, name: string, fields: Fields) => ({
  ...{ apiVersion, kind, metadata: { name: `${name}-${suffix}`, ...(namespaced ? { namespace } : {}) }, ...fields },
});
const make = (resource: Resource, name: string, fields: Fields) =>
  said('POST', placeOf(resource), named(resource, name, fields));
/** What would become of it; nothing is made or changed. */
const tryMake = (resource: Resource, fields: Fields) =>
  said('POST', `${placeOf(resource)}?dryRun=All`, named(resource, 'tried', fields));
const tryChange = (resource: Resource, name: string, change: Fields) =>
  said('PATCH', `${placeOf(resource)}/${name}-${suffix}?dryRun=All`, change);
const changeStatus = (resource: Resource, name: string, status: Fields) =>
  said('PATCH', `${placeOf(resource)}/${name}-${suffix}/status`, { status });

async function expectUnchangeable(resource: Resource, name: string, message: string, changes: Fields[]) {
  const answers = await Promise.all(changes.map((change) => tryChange(resource, name, change)));
  expect(answers).toEqual(changes.map(() => expect.stringContaining(message)));
  const labels = { team: 'storage' };
  const ownWords = { metadata: { labels, annotations: { note: 'ours' } } };
  expect(await tryChange(resource, name, ownWords)).toMatchObject(ownWords);
}

const driver = 's3.longshore.dev';
const secretRef = { namespace: 'stores', name: 'photos' };
const created = { provisioner: driver };
const existing = { provisioner: driver, bucketIdentifier: 'photos' };
const described = { supportedProtocols: ['s3'], accessMode: 'ro', parameters: { region: 'eu-central-1' } };
const asked = { bucketClassName: 'fast', secretName: 'photos' };
const bucketRef = { namespace, name: 'photos', uuid: '7b1d', resourceVersion: '1' };
const content = {
  ...{ provisioner: driver, flow: 'Greenfield', releasePolicy: 'Delete', accessModes: ['rw'], bucketRef },
  ...{ supportedProtocols: ['s3'], bucketClassName: 'fast', bucketIdentifier: 'photos-1', parameters: { a: 'b' } },
};
const condition = {
  ...{ type: 'Bound', status: 'False', reason: 'NoSuchClass', message: 'There is no class of this name.' },
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const unready = { ...condition, type: 'SecretReady', reason: 'NotBound' };
const tried = { ...condition, type: 'Provisioned', reason: 'StoreBusy' };

beforeAll(async () => {
  connection = new Connection(accessFromKubeconfig(await readFile(testKubeconfig(), 'utf8')));
  await client.createNamespace(namespace);
  const made = await Promise.all([
    make(bucketClass, 'plain', created),
    make(bucketClass, 'deleting', { ...created, releasePolicy: 'Delete' }),
    make(bucketClass, 'existing', { ...existing, ...described }),
    make(bucketClass, 'static', { secretRef }),
    make(bucket, 'plain', { spec: asked }),
    make(bucket, 'prefixed', { spec: { ...asked, bucketPrefix: 'YosemitePhotos-' } }),
    make(bucketContent, 'whole', { spec: content }),
    make(bucketContent, 'static', {
      spec: { flow: 'Static', releasePolicy: 'Retain', bucketClassName: 'fast', bucketRef, secretRef },
    }),
    make(registration, 'plain', { spec: { identity: 'production' } }),
  ]);
  expect(made.filter((answer) => typeof answer === 'string')).toEqual([]);
});
afterAll(async () => {
  const names = { plain: [bucketClass, registration], deleting: [bucketClass], existing: [bucketClass] };
  const all = { ...names, static: [bucketClass, bucketContent], whole: [bucketContent] };
  for (const [name, kinds] of Object.entries(all)) for (const kind of kinds) await client.delete(named(kind, name, {}));
  connection.close();
});

describe('a BucketClass', () => {
  test.each<[string, Fields, string]>([
    ['objectBucketName', { ...created, objectBucketName: 'photos' }, 'the field is called bucketIdentifier; set'],
    ['accessModes', { ...created, accessModes: ['ro'] }, 'the field is called accessMode, and is one of ro, wo and rw'],
    ['an empty objectBucketName', { ...created, objectBucketName: '' }, 'the field is called bucketIdentifier; set'],
    [
      'both that exist',
      { bucketIdentifier: 'photos', secretRef },
      'bucketIdentifier and secretRef exclude each other; set bucketIdentifier to let the driver grant access to an ' +
        'existing bucket, or secretRef to hand out existing credentials',
    ],
    ['no driver', {}, 'set provisioner to the name of the driver, or set secretRef for a bucket without a driver'],
    ['a driver in a spec', { spec: created }, 'set provisioner to the name of the driver'],
    ['a driver of a static bucket', { ...created, secretRef }, 'provisioner must be left out with secretRef'],
    ['deletion of what existed', { ...existing, releasePolicy: 'Delete' }, 'releasePolicy must be Retain, or be left'],
    ['deletion of what is static', { secretRef, releasePolicy: 'Delete' }, 'releasePolicy must be Retain, or be left'],
    ['a policy of its own', { ...created, releasePolicy: 'Recycle' }, 'supported values: "Delete", "Retain"'],
    ['a mode of its own', { ...created, accessMode: 'x' }, 'supported values: "ro", "wo", "rw"'],
    ['a driver that is no name', { provisioner: 'S3_driver' }, 'provisioner in body should match'],
    ['a driver of a long name', { provisioner: 'a'.repeat(254) }, 'provisioner: Too long'],
    ['a bucket without a name', { ...existing, bucketIdentifier: '' }, 'bucketIdentifier in body should be at least 1'],
    ['a Secret without a namespace', { secretRef: { name: 'photos' } }, 'secretRef.namespace: Required value'],
    ['a Secret without a name', { secretRef: { namespace: 'stores' } }, 'secretRef.name: Required value'],
    ['a number', { ...created, parameters: { size: 1 } }, 'parameters.size in body must be of type string'],
    ['a long parameter', { ...created, parameters: { a: 'b'.repeat(4097) } }, 'parameters.a: Too long'],
    [
      'many parameters',
      { ...created, parameters: Object.fromEntries(Array.from({ length: 65 }, (_, each) => [`a${each}`, 'b'])) },
      'parameters: Too many: 65: must have at most 64 items',
    ],
  ])('is refused with %s', async (_, fields, message) => {
    expect(await tryMake(bucketClass, fields)).toContain(message);
  });

  test('retains what is in the store unless it says otherwise', async () => {
    for (const fields of [created, { ...existing, ...described }, { secretRef }]) {
      expect(await tryMake(bucketClass, fields)).toMatchObject({ ...fields, releasePolicy: 'Retain' });
    }
    expect(await tryMake(bucketClass, { ...created, releasePolicy: 'Delete' })).toMatchObject({
      releasePolicy: 'Delete',
    });
  });

  test.each<[string, Fields[]]>([
    ['plain', [{ ...existing }, { accessMode: 'ro' }, { supportedProtocols: ['s3'] }, { parameters: { a: 'b' } }]],
    ['plain', [{ provisioner: 'other' }, { releasePolicy: 'Delete' }, { provisioner: null, secretRef }]],
    ['deleting', [{ releasePolicy: 'Retain' }, { releasePolicy: null }]],
    ['existing', [{ bucketIdentifier: 'x' }, { accessMode: 'rw' }, { supportedProtocols: [] }]],
    ['existing', [{ parameters: { region: 'x' } }, { parameters: { region: null } }, { parameters: { more: 'x' } }]],
    ['existing', ['bucketIdentifier', 'accessMode', 'supportedProtocols', 'parameters'].map((of) => ({ [of]: null }))],
    ['static', [{ secretRef: { name: 'x' } }, { secretRef: { namespace: 'x' } }, { ...created, secretRef: null }]],
  ])('that is %s cannot be changed but in its labels and annotations', async (name, changes) => {
    const message = 'a BucketClass cannot be changed; create another one under a new name';
    await expectUnchangeable(bucketClass, name, message, changes);
  });
});

describe('a Bucket', () => {
  test.each<[string, Fields, string]>([
    ['no spec', {}, 'spec: Required value'],
    ['no class', { spec: { secretName: 'photos' } }, 'spec.bucketClassName: Required value'],
    ['no Secret', { spec: { bucketClassName: 'fast' } }, 'spec.secretName: Required value'],
    [
      'a class that is no name',
      { spec: { ...asked, bucketClassName: '../x' } },
      'bucketClassName in body should match',
    ],
    ['a Secret that is no name', { spec: { ...asked, secretName: 'A' } }, 'spec.secretName in body should match'],
    ['a long prefix', { spec: { ...asked, bucketPrefix: 'a'.repeat(32) } }, 'spec.bucketPrefix: Too long'],
  ])('is refused with %s', async (_, fields, message) => {
    expect(await tryMake(bucket, fields)).toContain(message);
  });

  test('cannot be changed in its spec', async () => {
    const message = 'spec cannot be changed; create another Bucket instead';
    const changes = [{ bucketClassName: 'x' }, { secretName: 'x' }, { bucketPrefix: 'x' }].map((spec) => ({ spec }));
    await expectUnchangeable(bucket, 'plain', message, changes);
    await expectUnchangeable(bucket, 'prefixed', message, [{ spec: { bucketPrefix: null } }]);
  });

  test('has a status that is written by itself, and columns for people', async () => {
    expect(await changeStatus(bucket, 'plain', { phase: 'Ready' })).toContain('supported values: "Pending", "Bound"');
    const status = {
      phase: 'Pending',
      bucketContentName: 'fast-1',
      observedGeneration: 1,
      conditions: [{ ...condition, type: 'Ready' }, condition, unready],
    };
    expect(await changeStatus(bucket, 'plain', status)).toMatchObject({ status });
    expect((await tryChange(bucket, 'plain', { status: { phase: 'Bound' } })).status).toEqual(status);
    expect(await columnsOf(bucket, 'plain')).toMatchObject({
      ...{
        Class: 'fast',
        Secret: 'photos',
        Phase: 'Pending',
        Reason: 'NoSuchClass',
        Ready: 'False',
        Content: 'fast-1',
      },
    });
  });

  test('counts against a quota of Buckets', async () => {
    const limited = `${namespace}-quota`;
    await client.createNamespace(limited);
    await limitBuckets(limited);
    const place = collectionPath(bucket, limited);
    const body = (name: string) => ({
      ...named(bucket, name, { spec: asked }),
      metadata: { namespace: limited, name },
    });
    expect(await said('POST', place, body('first'))).toMatchObject({ kind: 'Bucket' });
    expect(await said('POST', place, body('second'))).toContain(
      'exceeded quota: few, requested: count/buckets.cosi.io=1',
    );
  });
});

describe('a BucketContent', () => {
  const { provisioner: _, ...undriven } = content;
  test.each<[string, Fields, string]>([
    ['no flow', { ...content, flow: undefined }, 'spec.flow: Required value'],
    ['no policy', { ...content, releasePolicy: undefined }, 'spec.releasePolicy: Required value'],
    ['no Bucket', { ...content, bucketRef: undefined }, 'spec.bucketRef: Required value'],
    ['no uid', { ...content, bucketRef: { namespace, name: 'photos' } }, 'spec.bucketRef.uuid: Required value'],
    ['no name', { ...content, bucketRef: { namespace, uuid: '1' } }, 'spec.bucketRef.name: Required value'],
    ['no namespace', { ...content, bucketRef: { name: 'a', uuid: '1' } }, 'spec.bucketRef.namespace: Required value'],
    ['no driver', undriven, 'provisioner is required, except when flow is Static'],
    ['a driver of what is static', { ...content, flow: 'Static', releasePolicy: 'Retain' }, 'provisioner is required'],
    ['deletion of what existed', { ...content, flow: 'Brownfield' }, 'releasePolicy must be Retain unless flow is'],
    ['a mode of its own', { ...content, accessModes: ['x'] }, 'supported values: "ro", "wo", "rw"'],
  ])('is refused with %s', async (_, spec, message) => {
    expect(await tryMake(bucketContent, { spec })).toContain(message);
  });

  test('cannot be changed in its spec but for the Secret', async () => {
    const message = 'only secretRef can be changed in spec; create another Bucket instead';
    const taken = ['provisioner', 'accessModes', 'supportedProtocols', 'bucketIdentifier', 'parameters'];
    const others = ['namespace', 'name', 'uuid'].map((of) => ({ bucketRef: { [of]: 'x' } }));
    const specs: Fields[] = [
      ...taken.map((of) => ({ [of]: null })),
      ...others,
      ...[{ provisioner: 'x' }, { flow: 'Brownfield' }, { releasePolicy: 'Retain' }, { accessModes: ['ro'] }],
      ...[
        { supportedProtocols: ['x'] },
        { bucketClassName: 'x' },
        { bucketIdentifier: 'x' },
        { parameters: { a: 'c' } },
      ],
    ];
    await expectUnchangeable(
      ...([bucketContent, 'whole', message] as const),
      specs.map((spec) => ({ spec })),
    );
    const added = [...taken.slice(3)].map((of) => ({ spec: { [of]: content[of as keyof typeof content] } }));
    await expectUnchangeable(bucketContent, 'static', message, added);
    for (const spec of [{ secretRef }, { secretRef: null }]) {
      expect(await tryChange(bucketContent, 'static', { spec })).toMatchObject({ kind: 'BucketContent' });
    }
    expect(await tryChange(bucketContent, 'whole', { spec: { secretRef } })).toMatchObject({ spec: { secretRef } });
  });

  test('has a status with all that we keep in it, and columns for people', async () => {
    const supported = 'supported values: "Ready", "Bound", "Released", "Retrying", "Failed"';
    expect(await changeStatus(bucketContent, 'whole', { phase: 'Pending' })).toContain(supported);
    expect(await changeStatus(bucketContent, 'whole', { lease: { holder: 'x' } })).toContain('lease.until: Required');
    const time = new Date().toISOString();
    const status = {
      ...{
        message: 'The store is busy.',
        phase: 'Retrying',
        observedGeneration: 1,
        conditions: [{ ...tried, type: 'Ready' }, tried],
      },
      ...{ lease: { holder: 'x', until: time }, startedAt: time, failedAt: time, emptied: 1_000 },
    };
    expect((await changeStatus(bucketContent, 'whole', status)).status).toEqual(status);
    expect((await changeStatus(bucketContent, 'whole', { lease: null })).status).not.toHaveProperty('lease');
    expect(await columnsOf(bucketContent, 'whole')).toMatchObject({
      ...{
        Class: 'fast',
        Flow: 'Greenfield',
        Policy: 'Delete',
        Phase: 'Retrying',
        Reason: 'StoreBusy',
        Namespace: namespace,
      },
      ...{ Bucket: 'photos', Identifier: 'photos-1', Message: tried.message, Ready: tried.status },
    });
  });
});

describe('a COSIRegistration', () => {
  test('says whose it is, and cannot be taken over', async () => {
    expect(await tryMake(registration, { spec: {} })).toContain('spec.identity: Required value');
    expect(await tryMake(registration, { spec: { identity: '' } })).toContain(
      'spec.identity in body should be at least 1',
    );
    const changes = [{ identity: 'staging' }, { supportedProtocols: ['s3'] }].map((spec) => ({ spec }));
    const message = 'spec cannot be changed; delete this registration to let another deployment serve the driver';
    await expectUnchangeable(registration, 'plain', message, changes);
    expect(await columnsOf(registration, 'plain')).toMatchObject({ Identity: 'production' });
  });
});

test('classes have columns for people', async () => {
  const existingOne = { Provisioner: driver, Mode: 'ro', Policy: 'Retain', Existing: 'photos' };
  expect(await columnsOf(bucketClass, 'existing')).toMatchObject(existingOne);
  expect(await columnsOf(bucketClass, 'static')).toMatchObject({ Policy: 'Retain', Secret: 'photos' });
});

/** One Bucket and no more. */
async function limitBuckets(limited: string): Promise<void> {
  const [metadata, spec] = [{ namespace: limited, name: 'few' }, { hard: { 'count/buckets.cosi.io': '1' } }];
  await untilCounted(client, { ...{ apiVersion: 'v1', kind: 'ResourceQuota', metadata }, ...{ spec } });
}

/** What `kubectl get` shows of an object. */
async function columnsOf(resource: Resource, name: string): Promise<Fields> {
  const path = `${placeOf(resource)}/${name}-${suffix}`;
  const { columnDefinitions, rows } = await said(
    'GET',
    path,
    undefined,
    'application/json;as=Table;v=v1;g=meta.k8s.io',
  );
  return Object.fromEntries(
    columnDefinitions.map((column: { name: string }, index: number) => [column.name, rows[0].cells[index]]),
  );
}
