import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AuthorizationV1Api } from '@kubernetes/client-node';
import type { DriverConfig } from '../../lib/capabilities/buckets/drivers/driver-config.ts';
import { createDrivers } from '../../lib/capabilities/buckets/drivers/drivers.ts';
import type { Settings } from '../../lib/capabilities/buckets/drivers/s3/connection-settings.ts';
import type { Bucket } from '../../lib/capabilities/buckets/objects.ts';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import { PatientKubeConfig } from '../../tools/local/patient-kubeconfig.ts';
import { FakeStore } from '../support/fake-store.ts';
import { type InProcess, runInProcess } from '../support/in-process.ts';
import { contentOf, environmentFor, giveBucketUp, untilBucketBound, untilSaid } from './case-bucket-waits.ts';
import { ownControlPlane } from './case-control-plane.ts';
import { untilCounted } from './case-quota.ts';
import { applying, textOf } from './case-walkthroughs.ts';

const own = ownControlPlane();
const { apply, applyAll } = applying(own.client);

/** The stores that are played here: the one in the house has an address, and the cloud has none. */
const [cloud, inHouse] = [new FakeStore(), new FakeStore()];
const connect = (settings: Settings) => (settings.endpoint ? inHouse : cloud).connect(settings);
let longshore: InProcess | undefined;
beforeAll(async () => {
  const configs = JSON.parse(textOf('two-providers/drivers.json')) as DriverConfig[];
  const drivers = createDrivers(configs, { identity: 'walkthroughs', connect });
  longshore = await runInProcess(own.kubeconfig(), {
    provisioner: { drivers, identity: 'walkthroughs', worker: 'only' },
  });
});
afterAll(() => longshore?.stop());

async function applyBuckets(file: string): Promise<[Bucket, Bucket]> {
  return (await applyAll(file)).filter(({ kind }) => kind === 'Bucket') as [Bucket, Bucket];
}

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

async function limit(file: string): Promise<void> {
  const { apiVersion, kind, metadata, spec } = await apply<ClusterObject & { spec: object }>(file);
  const { namespace, name } = metadata;
  await untilCounted(own.client(), {
    ...{ apiVersion, kind, metadata: { namespace, name } },
    ...{ spec },
  } as ClusterObject);
}

/** What the API server says to somebody of a group who asks whether they may. */
async function isAllowed(group: string, { resource: named, ...asked }: Asked): Promise<boolean> {
  const config = PatientKubeConfig.fromFile(own.kubeconfig());
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
