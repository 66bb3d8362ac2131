import { describe, expect, test } from '@jest/globals';
import type { Bucket } from '../../lib/capabilities/buckets/objects.ts';
import type { Secret } from '../../lib/kubernetes/objects.ts';
import { testClient } from './administrator.ts';
import {
  contentOf,
  environmentFor,
  giveBucketUp,
  sourceSecretOf,
  untilBucketBound,
  untilSaid,
  userSecretOf,
} from './case-bucket-waits.ts';
import { makeBucket, planBucket, runBuckets, secretNamed } from './case-buckets.ts';
import { untilEvents, untilReason } from './case-waits.ts';

const client = testClient();
const longshore = runBuckets();
const { store, driver } = longshore;

const planned = () => planBucket({ provisioner: driver, releasePolicy: 'Delete' });

async function bound(): Promise<Bucket> {
  return untilBucketBound(client, await makeBucket(client, planned()));
}

describe("a Secret of the Bucket's wish that is somebody else's", () => {
  async function colliding() {
    const { namespace, bucketClass, bucket } = planned();
    await client.createNamespace(namespace);
    const others = await client.create(secretNamed(namespace, bucket.spec.secretName, { mine: 'not yours' }));
    await client.create(bucketClass);
    const made = await client.create(bucket);
    const { message } = await untilReason(client, made, 'SecretExists');
    expect(message).toContain(
      'Secret photos-access exists and does not belong to this Bucket, so it is left unchanged',
    );
    return { bucket: made, others };
  }

  test('is left alone, the Bucket says so, and goes on when the name is free', async () => {
    const { bucket, others } = await colliding();
    await longshore.resync();
    expect((await untilSaid(client, bucket, 'AwaitingSecret')).message).toContain('exists and does not belong to this');
    await untilEvents(client, bucket, 'SecretExists', 'AwaitingSecret');
    expect((await contentOf(client, bucket)).status?.phase).toBe('Ready');
    expect(await environmentFor(client, bucket)).toEqual({ mine: 'not yours' });
    await client.delete(others);
    await untilBucketBound(client, bucket);
    const { AWS_ACCESS_KEY_ID: id } = await environmentFor(client, bucket);
    expect(store.liveKeys.map((key) => key.id)).toContain(id);
  });

  // The change of SecretReady brings no message to bind-bucket, so the reason that people see first is an old one.
  test('is what the Bucket says it waits for, without a list', async () => {
    const { bucket } = await colliding();
    await untilReason(client, bucket, 'AwaitingSecret');
  });

  test('survives the Bucket', async () => {
    const { bucket, others } = await colliding();
    await client.delete(bucket);
    await client.untilGone(bucket);
    expect((await client.until<Secret>(others)).metadata.uid).toBe((others as Secret).metadata.uid);
  });
});

describe("the user's Secret", () => {
  test('comes back when it is deleted, with the same credentials', async () => {
    const bucket = await bound();
    const before = await userSecretOf(client, bucket);
    await client.delete(before);
    const after = await userSecretOf(client, bucket, ({ metadata }) => metadata.uid !== before.metadata.uid);
    expect(after.data).toEqual(before.data);
    expect((await client.until<Bucket>(bucket)).status?.phase).toBe('Bound');
  });

  test('is put right when it is edited', async () => {
    const bucket = await bound();
    const before = await userSecretOf(client, bucket);
    await client.change(before, {
      metadata: { labels: { 'cosi.io/provisioner': 'another', team: 'photos' } },
      data: { AWS_SECRET_ACCESS_KEY: null, BUCKET_NAME: 'ZWxzZXdoZXJl', extra: 'bW9yZQ==' },
    });
    const wanted = JSON.stringify(Object.entries(before.data ?? {}).sort());
    const isRight = ({ data = {} }: Secret) => JSON.stringify(Object.entries(data).sort()) === wanted;
    const after = await userSecretOf(client, bucket, isRight);
    // What others have added to its metadata is theirs.
    expect(after.metadata.labels).toEqual({ 'cosi.io/provisioner': driver, team: 'photos' });
    await untilEvents(client, bucket, 'SecretRepaired');
  });

  test('has its owner again when that is taken off, and goes with the Bucket', async () => {
    const bucket = await bound();
    const before = await userSecretOf(client, bucket);
    await client.change(before, { metadata: { ownerReferences: null } });
    const isOwned = ({ metadata }: Secret) => metadata.ownerReferences !== undefined;
    const after = await userSecretOf(client, bucket, isOwned);
    expect(after.metadata.ownerReferences).toEqual(before.metadata.ownerReferences);
    await giveBucketUp(client, bucket);
  });

  test('that nothing marks as ours any more is left alone, and the Bucket says so', async () => {
    const bucket = await bound();
    const annotations = { 'longshore.dev/bucket': null };
    const secret = await userSecretOf(client, bucket);
    await client.change(secret, { metadata: { ownerReferences: null, annotations } });
    await untilReason(client, bucket, 'SecretExists');
    await client.delete(secret);
    await untilReason(client, bucket, 'Copied');
  });
});

test('credentials whose Secret is deleted are made again, the former ones live no longer, and the user gets the new ones', async () => {
  const bucket = await bound();
  const content = await contentOf(client, bucket);
  const { AWS_ACCESS_KEY_ID: lost = '' } = await environmentFor(client, bucket);
  const source = await sourceSecretOf(client, content);
  await client.delete(source);
  const copied = await userSecretOf(client, bucket, ({ data }) => decoded(data?.AWS_ACCESS_KEY_ID) !== lost);
  await contentOf(client, bucket, 'Bound');
  const [key, ...others] = store.liveKeys.filter(({ user }) => user.endsWith(spelled(bucket)));
  expect([key?.id, others]).toEqual([decoded(copied.data?.AWS_ACCESS_KEY_ID), []]);
  expect(store.liveKeys.map(({ id }) => id)).not.toContain(lost);
  const again = await sourceSecretOf(client, content);
  expect([again.metadata.uid === source.metadata.uid, again.data]).toEqual([false, copied.data]);
  const { status } = await untilBucketBound(client, bucket);
  expect(status?.conditions?.map(({ type, status: is }) => `${type} ${is}`)).toEqual([
    'Ready True',
    'Bound True',
    'SecretReady True',
  ]);
  await giveBucketUp(client, bucket);
});

function decoded(value = ''): string {
  return Buffer.from(value, 'base64').toString('utf8');
}

function spelled({ metadata }: Bucket): string {
  return (metadata.uid ?? '').replaceAll('-', '');
}
