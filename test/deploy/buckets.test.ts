import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { GetUserCommand, IAMClient } from '@aws-sdk/client-iam';
import { CreateBucketCommand, HeadBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, expect, test } from '@jest/globals';
import type { Bucket, BucketClass } from '../../lib/capabilities/buckets/objects.ts';
import type { ClusterObject, Secret } from '../../lib/kubernetes/objects.ts';
import {
  bucket,
  bucketClass,
  contentNamed,
  environmentIn,
  isBound,
  secretOf,
} from '../../tools/local/bucket-objects.ts';
import { compileCache } from '../../tools/processes/compile-cache.ts';
import { ClusterClient } from '../support/cluster-client.ts';
import { deployedStack } from '../support/deployed-stack.ts';
import { type Attempt, permitted } from './case-store.ts';

const deployed = deployedStack();
const { endpoint, region } = deployed.settings;
const client = new ClusterClient(deployed.kubeconfigPath);
const s3 = new S3Client({ ...deployed.settings, forcePathStyle: true });
const iam = new IAMClient(deployed.settings);
const parameters = { endpoint, region };
const application = fileURLToPath(new URL('../support/application.ts', import.meta.url));

afterAll(() => {
  for (const each of [deployed.sqs, deployed.lambda, s3, iam]) each.destroy();
});

/** A Bucket of a class of its own, in a namespace of its own, as soon as it is bound. */
async function bound(fields: Partial<BucketClass> = {}) {
  const suffix = randomBytes(4).toString('hex');
  const made = await client.create(bucketClass(`class-${suffix}`, { releasePolicy: 'Delete', parameters, ...fields }));
  await client.createNamespace(`team-${suffix}`);
  const wanted = bucket(`team-${suffix}`, 'photos', made.metadata.name, { bucketPrefix: 'Photos-' });
  // Both parts of one manifest: which of them comes first does not matter.
  await client.create(workloadWith(wanted));
  const asked = await client.create(wanted);
  const found = await client.until<Bucket>(asked, isBound);
  const environment = environmentIn(await client.until<Secret>(secretOf(asked)));
  return { bucket: found, environment, name: environment.BUCKET_NAME ?? '' };
}

/** Nothing runs it here. Its pods would wait for the Secret, as the kubelet starts none without it. */
function workloadWith({ metadata, spec }: Bucket): ClusterObject {
  const labels = { app: metadata.name };
  const envFrom = [{ secretRef: { name: spec.secretName } }];
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'application', envFrom }] } };
  const deployment = { selector: { matchLabels: labels }, template };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: deployment } as ClusterObject;
}

test('one manifest with a workload and a Bucket is all that an application needs', async () => {
  const { environment } = await bound();
  const { stdout } = await promisify(execFile)(process.execPath, [application], {
    env: { ...compileCache(), ...environment },
  });
  expect(JSON.parse(stdout)).toEqual({ keys: ['greeting'], greeting: 'hello' });
});

const modes: ['ro' | 'wo' | 'rw', Attempt[]][] = [
  ['ro', ['get', 'list']],
  ['wo', ['put']],
  ['rw', ['put', 'get', 'list', 'delete']],
];

test.each(modes)('credentials of mode %s do what it says, in their own bucket alone', async (accessMode, allowed) => {
  const [own, other] = await Promise.all([bound({ accessMode }), bound()]);
  for (const { name } of [own, other]) await s3.send(new PutObjectCommand({ Bucket: name, Key: 'there', Body: 'x' }));
  expect(await permitted(own.environment, own.name)).toEqual(allowed);
  expect(await permitted(own.environment, other.name)).toEqual([]);
});

test('a Bucket that is deleted takes its bucket, its user and its keys with it', async () => {
  const { bucket: made, environment, name } = await bound();
  await s3.send(new PutObjectCommand({ Bucket: name, Key: 'there', Body: 'x' }));
  await client.delete(made);
  await client.untilGone(made);
  await expect(s3.send(new HeadBucketCommand({ Bucket: name }))).rejects.toMatchObject({ name: 'NotFound' });
  await expect(iam.send(new GetUserCommand({ UserName: userOf(made) }))).rejects.toMatchObject({
    name: 'NoSuchEntityException',
  });
  expect(await permitted(environment, name)).toEqual([]);
  await client.untilGone(secretOf(made));
  await client.untilGone(contentNamed(made.status?.bucketContentName ?? ''));
});

test('a brownfield bucket keeps its data, and only access to it ends', async () => {
  const name = `archive-${randomBytes(4).toString('hex')}`;
  await s3.send(
    new CreateBucketCommand({ Bucket: name, CreateBucketConfiguration: { LocationConstraint: 'eu-central-1' } }),
  );
  await s3.send(new PutObjectCommand({ Bucket: name, Key: 'there', Body: 'x' }));
  const { bucket: made, environment } = await bound({ bucketIdentifier: name, releasePolicy: 'Retain' });
  expect(await permitted(environment, name)).toEqual(['put', 'get', 'list', 'delete']);
  await client.delete(made);
  await client.untilGone(made);
  await s3.send(new HeadBucketCommand({ Bucket: name }));
  expect(await permitted(environment, name)).toEqual([]);
});

test('a static bucket has the credentials that the administrator has made', async () => {
  const suffix = randomBytes(4).toString('hex');
  const secretRef = { namespace: 'longshore-system', name: `given-${suffix}` };
  const data = { BUCKET_NAME: Buffer.from('by-hand').toString('base64') };
  await client.create({ apiVersion: 'v1', kind: 'Secret', metadata: secretRef, data } as Secret);
  const { apiVersion, kind } = bucketClass('any');
  await client.create({ apiVersion, kind, metadata: { name: `class-${suffix}` }, secretRef } as BucketClass);
  await client.createNamespace(`team-${suffix}`);
  const asked = await client.create(bucket(`team-${suffix}`, 'given', `class-${suffix}`));
  await client.until<Bucket>(asked, isBound);
  expect((await client.until<Secret>(secretOf(asked))).data).toEqual(data);
  await client.delete(asked);
  await client.untilGone(asked);
  expect((await client.get<Secret>({ apiVersion: 'v1', kind: 'Secret', metadata: secretRef }))?.data).toEqual(data);
});

function userOf({ metadata }: Bucket): string {
  return `cosi-${metadata.uid?.replaceAll('-', '')}`;
}
