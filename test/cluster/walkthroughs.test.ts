import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AuthorizationV1Api, KubeConfig, loadAllYaml } from '@kubernetes/client-node';
import type { Bucket } from '../../lib/buckets/objects.ts';
import type { Claim, ClusterObject, TransferRequest, Volume } from '../../lib/cluster/objects.ts';
import type { DriverConfig } from '../../lib/drivers/driver-config.ts';
import { createDrivers } from '../../lib/drivers/drivers.ts';
import type { Settings } from '../../lib/drivers/s3/settings.ts';
import type { ClusterClient } from '../support/cluster-client.ts';
import { FakeStore } from '../support/fake-store.ts';
import { type InProcess, runInProcess } from '../support/in-process.ts';
import { contentOf, environmentFor, giveBucketUp, untilBucketBound, untilSaid } from './case-bucket-waits.ts';
import { ownControlPlane } from './case-control-plane.ts';
import { serveGrants } from './case-grants.ts';
import { untilBound, untilReason } from './case-waits.ts';

const folder = new URL('../../docs/walkthroughs/', import.meta.url);
const driver = 'csi.example.com';
const className = 'standard';
const provisioner = 'volume.kubernetes.io/storage-provisioner';

const own = ownControlPlane();
beforeAll(async () => {
  await serveGrants(own.client(), 'v1beta1');
  await serveSnapshots(own.client());
  const metadata = { name: className };
  const storageClass = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata };
  await own.client().create({ ...storageClass, provisioner: driver, reclaimPolicy: 'Delete' } as ClusterObject);
});

/** The stores that are played here: the one in the house has an address, and the cloud has none. */
const [cloud, inHouse] = [new FakeStore(), new FakeStore()];
const connect = (settings: Settings) => (settings.endpoint ? inHouse : cloud).connect(settings);
let longshore: InProcess | undefined;
beforeAll(async () => {
  const configs = JSON.parse(readFileSync(new URL('two-providers/drivers.json', folder), 'utf8')) as DriverConfig[];
  const drivers = createDrivers(configs, { identity: 'walkthroughs', connect });
  const provisioner = { drivers, identity: 'walkthroughs', worker: 'only' };
  longshore = await runInProcess(own.kubeconfig(), { provisioner });
});
afterAll(() => longshore?.stop());

/** The kind VolumeSnapshot, without anybody who takes snapshots. */
async function serveSnapshots(client: ClusterClient): Promise<void> {
  const group = 'snapshot.storage.k8s.io';
  const source = { type: 'object', properties: { persistentVolumeClaimName: { type: 'string' } } };
  const spec = { type: 'object', properties: { source } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `volumesnapshots.${group}`,
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for tests' },
    },
    spec: {
      ...{ group, scope: 'Namespaced' },
      names: { kind: 'VolumeSnapshot', plural: 'volumesnapshots' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
  await client.create(definition);
  const isServed = ({ status }: typeof definition & { status?: { conditions?: { type: string; status: string }[] } }) =>
    status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True') === true;
  await client.until(definition, isServed);
}

/** Makes what a file says, and answers all of it. */
async function applyAll(file: string): Promise<ClusterObject[]> {
  const objects = loadAllYaml(readFileSync(new URL(file, folder), 'utf8')) as ClusterObject[];
  const made: ClusterObject[] = [];
  for (const object of objects) {
    if (object.kind === 'Namespace') made.push(await own.client().createNamespace(object.metadata.name));
    else made.push(await own.client().create(object));
  }
  return made;
}

/** The same, and answers the last object of it. */
async function apply<T extends ClusterObject>(file: string): Promise<T> {
  return (await applyAll(file)).at(-1) as T;
}

async function applyBuckets(file: string): Promise<[Bucket, Bucket]> {
  return (await applyAll(file)).filter(({ kind }) => kind === 'Bucket') as [Bucket, Bucket];
}

/** What a driver does for a claim of its class: it makes a volume, with the data that the claim asks for. */
async function provision(claim: Claim): Promise<Volume> {
  const client = own.client();
  const isAsked = ({ metadata }: Claim) => metadata.annotations?.[provisioner] === driver;
  const { apiVersion, kind, metadata, spec } = await client.until<Claim>(claim, isAsked);
  const { namespace = '', name, uid = '' } = metadata;
  const volume: Volume & { spec: Record<string, unknown> } = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `pvc-${uid}`, annotations: { 'pv.kubernetes.io/provisioned-by': driver } },
    spec: {
      capacity: { storage: spec.resources?.requests?.storage ?? '' },
      accessModes: spec.accessModes ?? [],
      storageClassName: className,
      persistentVolumeReclaimPolicy: 'Delete',
      csi: { driver, volumeHandle: `of-${name}` },
      claimRef: { apiVersion, kind, namespace, name, uid },
    },
  };
  await client.create(volume);
  await untilBound(client, claim);
  return volume;
}

/** The request is complete: its claim has the very volume, with its policy, and the source is gone. */
async function expectMoved(request: TransferRequest, source: Claim, before: Volume): Promise<void> {
  const client = own.client();
  await client.until<TransferRequest>(request, ({ status }) => status?.complete === true);
  await client.untilGone(source);
  const { namespace = '' } = request.metadata;
  const target = await untilBound(client, { ...source, metadata: { namespace, name: request.spec.targetName } });
  expect(target.spec.volumeName).toBe(before.metadata.name);
  expect(target.spec.dataSourceRef).toBeUndefined();
  const isAtRest = ({ metadata }: Volume) => !JSON.stringify(metadata.annotations).includes('longshore.dev/');
  const volume = await client.until<Volume>(before, isAtRest);
  expect(volume.spec.claimRef?.uid).toBe(target.metadata.uid);
  expect(volume.spec.persistentVolumeReclaimPolicy).toBe('Delete');
}

test('from production to staging: a copy of the database goes where it may be changed, the database stays', async () => {
  const database = await apply<Claim>('production-to-staging/before.yaml');
  const original = await provision(database);
  await apply('production-to-staging/snapshot.yaml');
  const copy = await apply<Claim>('production-to-staging/copy.yaml');
  const volume = await provision(copy);
  const request = await apply<TransferRequest>('production-to-staging/request.yaml');
  await untilReason(own.client(), request, 'ApprovalMissing');
  await apply('production-to-staging/approval.yaml');
  await expectMoved(request, copy, volume);
  expect((await untilBound(own.client(), database)).spec.volumeName).toBe(original.metadata.name);
});

describe('golden images', () => {
  let image: Claim;
  let original: Volume;
  beforeAll(async () => {
    image = await apply<Claim>('golden-images/before.yaml');
    original = await provision(image);
    await apply('golden-images/grant.yaml');
  });

  test('a clone goes to the machine that it was made for, without anybody who approves it', async () => {
    const clone = await apply<Claim>('golden-images/clone.yaml');
    const volume = await provision(clone);
    const request = await apply<TransferRequest>('golden-images/request.yaml');
    await expectMoved(request, clone, volume);
    expect((await untilBound(own.client(), image)).spec.volumeName).toBe(original.metadata.name);
  });

  test('the image itself is not for the taking', async () => {
    const request = await apply<TransferRequest>('golden-images/request-for-image.yaml');
    const { message } = await untilReason(own.client(), request, 'ApprovalMissing');
    expect(message).toContain('no ReferenceGrant of namespace golden-images covers it');
  });
});

test('a workload and its bucket in one manifest: the workload has all that it needs in its environment', async () => {
  const client = own.client();
  await apply('workload-and-bucket/before.yaml');
  const [workload, bucket] = (await applyAll('workload-and-bucket/album.yaml')) as [ClusterObject, Bucket];
  await untilBucketBound(client, bucket);
  const { bucketIdentifier = '' } = (await contentOf(client, bucket)).spec;
  expect(cloud.bucket(bucketIdentifier)).toMatchObject({ isVersioned: true, expireDays: 365 });
  const { AWS_ACCESS_KEY_ID: id, BUCKET_NAME } = await environmentFor(client, bucket);
  expect([BUCKET_NAME, cloud.liveKeys.map((key) => key.id)]).toEqual([bucketIdentifier, [id]]);
  cloud.put(bucketIdentifier, 'summer.jpg');
  await client.delete(workload);
  await giveBucketUp(client, bucket);
  expect([cloud.buckets, cloud.users]).toEqual([[], []]);
});

describe('limits of buckets', () => {
  const archive = 'payroll-archive-2026';
  let reports: Bucket;
  let salaries: Bucket;
  beforeAll(async () => {
    cloud.addBucket(archive);
    for (const file of ['classes', 'rights', 'team']) await apply(`bucket-limits/${file}.yaml`);
    await limit('bucket-limits/quota.yaml');
    [reports, salaries] = await applyBuckets('bucket-limits/buckets.yaml');
  });

  test.each<[string, string, string, string, boolean]>([
    ['make Buckets', 'team-a', 'create', 'buckets', true],
    ['make Buckets elsewhere', 'default', 'create', 'buckets', false],
    ['see which classes there are', '', 'list', 'bucketclasses', true],
    ['make classes', '', 'create', 'bucketclasses', false],
    ['see contents', '', 'get', 'bucketcontents', false],
    ['say of a Bucket that it is bound', 'team-a', 'patch', 'buckets/status', false],
  ])('a developer may or may not %s', async (_, namespace, verb, resource, expected) => {
    expect(await isAllowed('developers', { namespace, verb, resource })).toBe(expected);
  });

  test('a class is for those that it says', async () => {
    await untilBucketBound(own.client(), reports);
    const { message } = await untilSaid(own.client(), salaries, 'ClassNotForNamespace');
    expect(message).toContain('BucketClass payroll-archive is not for namespace team-a');
    expect(cloud.bucket(archive)).toBeDefined();
    expect(cloud.users).toHaveLength(1);
  });

  test('nobody makes more Buckets than the quota says', async () => {
    await expect(apply('bucket-limits/one-too-many.yaml')).rejects.toThrow('exceeded quota: buckets');
    for (const bucket of [salaries, reports]) await giveBucketUp(own.client(), bucket);
  });
});

test('two providers: a Bucket of each, by what its class says and nothing else', async () => {
  const client = own.client();
  await apply('two-providers/before.yaml');
  await apply('two-providers/classes.yaml');
  const [films, cuttings] = await applyBuckets('two-providers/buckets.yaml');
  for (const bucket of [films, cuttings]) await untilBucketBound(client, bucket);
  const inCloud = await environmentFor(client, films);
  const atHome = await environmentFor(client, cuttings);
  expect(inCloud.AWS_ENDPOINT_URL_S3).toBe('https://s3.eu-central-1.amazonaws.com');
  expect(atHome).toMatchObject({ AWS_ENDPOINT_URL_S3: 'https://objects.example.com', AWS_ACCESS_KEY_ID: 'everybody' });
  expect(cloud.liveKeys.map(({ id }) => id)).toEqual([inCloud.AWS_ACCESS_KEY_ID]);
  expect(inHouse.users).toEqual([]);
  for (const bucket of [films, cuttings]) await giveBucketUp(client, bucket);
  expect(cloud.bucket(inCloud.BUCKET_NAME ?? '')).toBeDefined();
  expect([cloud.users, inHouse.buckets]).toEqual([[], []]);
});

/** The controller learns of new kinds only now and then: a quota that it does not count is made anew. */
async function limit(file: string): Promise<void> {
  for (const deadline = Date.now() + 120_000; ; ) {
    const quota = await apply<ClusterObject & { status?: { used?: object } }>(file);
    const isCounted = ({ status }: typeof quota) =>
      status?.used !== undefined && 'count/buckets.cosi.io' in status.used;
    const counted = await own
      .client()
      .until(quota, isCounted, 1_000)
      .catch((error) => {
        if (Date.now() > deadline) throw error;
      });
    if (counted) return;
    await own.client().delete(quota);
  }
}

/** What the API server says to somebody of a group who asks whether they may. */
async function isAllowed(group: string, { resource: named, ...asked }: Asked): Promise<boolean> {
  const config = new KubeConfig();
  config.loadFromFile(own.kubeconfig());
  const [resource = '', subresource = ''] = named.split('/');
  const resourceAttributes = { group: 'cosi.io', resource, subresource, ...asked };
  const body = { spec: { user: 'somebody', groups: [group], resourceAttributes } };
  const { status } = await config.makeApiClient(AuthorizationV1Api).createSubjectAccessReview({ body });
  return status?.allowed ?? false;
}

interface Asked {
  namespace: string;
  verb: string;
  resource: string;
}
