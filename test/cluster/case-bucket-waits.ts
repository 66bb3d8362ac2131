import { contentNameOf } from '../../lib/capabilities/buckets/names.ts';
import type { Bucket, BucketContent } from '../../lib/capabilities/buckets/objects.ts';
import { decode } from '../../lib/capabilities/buckets/secrets.ts';
import type { Condition, Secret } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import type { ClusterClient } from '../support/cluster-client.ts';
import { until } from '../support/patience.ts';
import { secretNamed } from './case-buckets.ts';

export function untilBucketBound(client: ClusterClient, bucket: Bucket): Promise<Bucket> {
  return client.until<Bucket>(bucket, ({ status }) => status?.phase === 'Bound');
}

/** The content of a Bucket that has been made, whether it is there or not. */
export function contentFor(bucket: Bucket): BucketContent {
  const { apiVersion, kind } = resources.bucketContent;
  return { apiVersion, kind, metadata: { name: contentNameOf(bucket) } } as BucketContent;
}

export function contentOf(
  client: ClusterClient,
  bucket: Bucket,
  phase?: NonNullable<BucketContent['status']>['phase'],
): Promise<BucketContent> {
  return client.until<BucketContent>(
    contentFor(bucket),
    ({ status }) => phase === undefined || status?.phase === phase,
  );
}

/** The Secret that the user asked for, once it is as expected. */
export function userSecretOf(
  client: ClusterClient,
  { metadata, spec }: Bucket,
  isExpected: (secret: Secret) => boolean = () => true,
): Promise<Secret> {
  return client.until<Secret>(secretNamed(metadata.namespace ?? '', spec.secretName), isExpected);
}

/** Where the driver's credentials are, out of the user's reach. */
export function sourceSecretOf(client: ClusterClient, { spec }: BucketContent): Promise<Secret> {
  const { namespace = '', name = '' } = spec.secretRef ?? {};
  return client.until<Secret>(secretNamed(namespace, name));
}

/** The environment of an application that has a Bucket's Secret. */
export async function environmentFor(client: ClusterClient, bucket: Bucket): Promise<Record<string, string>> {
  return decode(await userSecretOf(client, bucket));
}

/** What a Bucket says about the bucket itself, once it says this. */
export async function untilSaid(client: ClusterClient, bucket: Bucket, reason: string): Promise<Condition> {
  const said = ({ status }: Bucket) =>
    status?.conditions?.find((condition) => condition.type === 'Bound' && condition.reason === reason);
  return said(await client.until<Bucket>(bucket, (found) => said(found) !== undefined)) as Condition;
}

/** Deletes a Bucket, and answers when nothing is left of it in the cluster; the collector takes the Secrets. */
export async function giveBucketUp(client: ClusterClient, bucket: Bucket): Promise<void> {
  const { metadata, spec } = bucket;
  const source = (await client.get(contentFor(bucket)))?.spec.secretRef;
  await client.delete(bucket);
  await client.untilGone(bucket);
  await client.untilGone(contentFor(bucket));
  await client.untilGone(secretNamed(metadata.namespace ?? '', spec.secretName));
  if (source?.namespace === 'longshore-system') await client.untilGone(secretNamed(source.namespace, source.name));
}

/** What is not in the cluster has nobody who tells of it. */
export async function untilTrue(condition: () => boolean): Promise<void> {
  await until(String(condition), condition);
}
