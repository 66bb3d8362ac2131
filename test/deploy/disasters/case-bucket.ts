import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Bucket } from '../../../lib/capabilities/buckets/objects.ts';
import type { Secret } from '../../../lib/kubernetes/objects.ts';
import { bucket, bucketClass, environmentIn, isBound, secretOf } from '../../../tools/local/bucket-objects.ts';
import type { ClusterClient } from '../../support/cluster-client.ts';
import type { TestStack } from '../../support/deployed-stack.ts';
import { clientWith } from '../case-store.ts';

const object = { Key: 'summer.jpg', Body: 'granite' };
export const className = 'standard';

/** A class whose buckets go with their Buckets: whatever deletes one by mistake is noticed. */
export async function makeClass(client: ClusterClient, { settings }: TestStack, endpoint = settings.endpoint) {
  const parameters = { endpoint, region: settings.region };
  await client.create(bucketClass(className, { releasePolicy: 'Delete', parameters }));
}

/** A Bucket that is bound, with an object in it that was put there by its own credentials. */
export async function boundBucket(client: ClusterClient, namespace: string, name: string) {
  const asked = await client.create(bucket(namespace, name, className));
  const made = await client.until<Bucket>(asked, isBound);
  const credentials = await credentialsOf(client, made);
  const place = { Bucket: credentials.BUCKET_NAME ?? '', Key: object.Key };
  await withClient(clientWith(credentials), (s3) => s3.send(new PutObjectCommand({ ...place, Body: object.Body })));
  return { bucket: made, name: place.Bucket, credentials };
}

export type Bound = Awaited<ReturnType<typeof boundBucket>>;

export async function credentialsOf(client: ClusterClient, made: Bucket): Promise<Record<string, string>> {
  return environmentIn(await client.until<Secret>(secretOf(made)));
}

/** Whether the credentials that its Secret has now open the bucket, with what was put there. */
export async function isReadable(client: ClusterClient, { bucket: made, name }: Bound): Promise<boolean> {
  const credentials = await credentialsOf(client, made);
  return ifPermitted(async () => (await contentsOf(clientWith(credentials), name)) === object.Body);
}

/** Whether they open a bucket, whatever is in it. */
export async function isOpen(client: ClusterClient, { bucket: made }: Bound): Promise<boolean> {
  const credentials = await credentialsOf(client, made);
  const command = new ListObjectsV2Command({ Bucket: credentials.BUCKET_NAME });
  return ifPermitted(() => withClient(clientWith(credentials), async (s3) => (await s3.send(command)).KeyCount === 0));
}

async function ifPermitted(attempt: () => Promise<boolean>): Promise<boolean> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof Error && ['AccessDenied', 'InvalidAccessKeyId', 'NoSuchBucket'].includes(error.name))
      return false;
    throw error;
  }
}

/** Whether the data is there, as somebody sees who may see everything. */
export async function hasItsData({ settings }: TestStack, { name }: Pick<Bound, 'name'>): Promise<boolean> {
  return (await contentsOf(new S3Client({ ...settings, forcePathStyle: true }), name)) === object.Body;
}

async function contentsOf(s3: S3Client, Bucket: string): Promise<string | undefined> {
  return withClient(s3, async () => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: object.Key }));
    return Body?.transformToString();
  });
}

async function withClient<T>(s3: S3Client, work: (client: S3Client) => Promise<T>): Promise<T> {
  try {
    return await work(s3);
  } finally {
    s3.destroy();
  }
}
