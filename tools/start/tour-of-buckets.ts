import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Bucket } from '../../lib/capabilities/buckets/objects.ts';
import type { Secret } from '../../lib/kubernetes/objects.ts';
import { displayName } from '../../lib/kubernetes/resources.ts';
import { bucket, bucketClass, environmentIn, isBound, secretOf } from '../local/bucket-objects.ts';
import type { ClusterClient } from '../local/cluster-client.ts';
import type { LocalAws } from '../local-aws/local-aws.ts';
import { table } from './table.ts';

const asked = bucket('stage', 'photos', 'longshore-tour', { bucketPrefix: 'YosemitePhotos-' });
const key = 'half-dome.txt';
const text = 'granite';

/** One Bucket, from its class to an object that an application reads with only the Secret. */
export async function askForBucket(
  client: ClusterClient,
  localAws: LocalAws,
  say: (text: string) => void,
): Promise<void> {
  say('\n4. A bucket is requested like a claim, and an application gets its credentials\n');
  const { endpoint, region } = localAws;
  await client.create(bucketClass('longshore-tour', { releasePolicy: 'Delete', parameters: { endpoint, region } }));
  const started = Date.now();
  await client.create(asked);
  const bound = await client.until<Bucket>(asked, isBound);
  const milliseconds = Date.now() - started;
  say(`stage creates Bucket ${displayName(asked.metadata)} of class longshore-tour; bound after ${milliseconds} ms:\n`);
  say(describeBucket(bound));
  const environment = environmentIn(await client.until<Secret>(secretOf(asked)));
  say(`\nIts Secret ${asked.spec.secretName} has the environment variables for applications:\n`);
  say(`  ${Object.keys(environment).join('\n  ')}`);
  say(`\nWith only these values, ${key} is written to bucket ${environment.BUCKET_NAME} and read again:`);
  say(`  ${await writeAndRead(environment)}`);
}

/** For a cluster that outlives the tour: the bucket is deleted with its Bucket, and the class is useless without it. */
export async function removeBucket(client: ClusterClient): Promise<void> {
  await client.delete(asked);
  await client.untilGone(asked);
  await client.delete(bucketClass('longshore-tour'));
}

function describeBucket({ metadata, spec, status }: Bucket): string {
  const content = status?.bucketContentName ?? '';
  return table(
    ['BUCKET', 'PHASE', 'CLASS', 'CONTENT', 'SECRET'],
    [[displayName(metadata), status?.phase ?? '', spec.bucketClassName, content, spec.secretName]],
  );
}

async function writeAndRead(environment: Record<string, string>): Promise<string> {
  const {
    BUCKET_NAME: Bucket,
    AWS_ACCESS_KEY_ID: accessKeyId = '',
    AWS_SECRET_ACCESS_KEY: secretAccessKey = '',
    AWS_ENDPOINT_URL: endpoint = '',
    AWS_REGION: region = '',
  } = environment;
  const s3 = new S3Client({ region, endpoint, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } });
  try {
    await s3.send(new PutObjectCommand({ Bucket, Key: key, Body: text }));
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: key }));
    return (await Body?.transformToString()) ?? '';
  } finally {
    s3.destroy();
  }
}
