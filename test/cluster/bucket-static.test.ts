import { describe, expect, test } from '@jest/globals';
import type { Secret } from '../../lib/kubernetes/objects.ts';
import { testClient } from './administrator.ts';
import { contentOf, environmentFor, giveBucketUp, untilBucketBound, userSecretOf } from './case-bucket-waits.ts';
import { makeBucket, planBucket, runBuckets, secretNamed } from './case-buckets.ts';
import { untilReason } from './case-waits.ts';

const client = testClient();
const { store } = runBuckets();
const keys = { AWS_ACCESS_KEY_ID: 'given', AWS_SECRET_ACCESS_KEY: 'by-hand', BUCKET_NAME: 'archive' };

/** A class whose Secret is in a namespace that its users cannot reach. */
async function planStatic() {
  const name = 'archive';
  const plan = planBucket({});
  const vault = `${plan.namespace}-vault`;
  await client.createNamespace(vault);
  const bucketClass = { ...plan.bucketClass, secretRef: { namespace: vault, name } };
  return { plan: { ...plan, bucketClass }, secret: secretNamed(vault, name, keys) };
}

describe('a bucket whose credentials an administrator has made', () => {
  test('is bound without any driver, and its Secret is never deleted', async () => {
    const { plan, secret } = await planStatic();
    const made = await client.create(secret);
    const bucket = await untilBucketBound(client, await makeBucket(client, plan));
    const { metadata, spec, status } = await contentOf(client, bucket);
    expect(bucket.metadata).toMatchObject({ finalizers: ['cosi.io/finalizer'] });
    expect([bucket.metadata.labels, metadata.labels]).toEqual([undefined, undefined]);
    expect(bucket.status).toMatchObject({ phase: 'Bound', bucketContentName: metadata.name });
    expect(metadata.finalizers).toEqual(['cosi.io/finalizer']);
    const secretRef = { namespace: made.metadata.namespace, name: 'archive' };
    expect(spec).toMatchObject({ flow: 'Static', releasePolicy: 'Retain', secretRef });
    expect(spec.provisioner).toBeUndefined();
    expect(status?.phase).toBe('Bound');
    const copy = await userSecretOf(client, bucket);
    const { uid } = bucket.metadata;
    const owner = { apiVersion: 'cosi.io/v1alpha1', kind: 'Bucket', name: 'photos', uid, controller: true };
    expect(copy.metadata.ownerReferences).toEqual([owner]);
    expect(await environmentFor(client, bucket)).toEqual(keys);
    await giveBucketUp(client, bucket);
    const kept = await client.until<Secret>(secret);
    expect(kept.metadata.ownerReferences).toBeUndefined();
    expect([store.commands, store.users]).toEqual([[], []]);
  });

  test('waits for the Secret of the class, and follows it when the administrator changes it', async () => {
    const { plan, secret } = await planStatic();
    const bucket = await makeBucket(client, plan);
    const { message } = await untilReason(client, bucket, 'SourceSecretMissing');
    expect(message).toContain('ask the administrator of the class to create it');
    await client.create(secret);
    await untilBucketBound(client, bucket);
    const changed = { AWS_ACCESS_KEY_ID: Buffer.from('rotated').toString('base64'), BUCKET_NAME: null };
    await client.change(secret, { data: changed });
    await userSecretOf(client, bucket, ({ data }) => data?.AWS_ACCESS_KEY_ID === changed.AWS_ACCESS_KEY_ID);
    expect(await environmentFor(client, bucket)).toEqual({
      AWS_ACCESS_KEY_ID: 'rotated',
      AWS_SECRET_ACCESS_KEY: 'by-hand',
    });
  });
});
