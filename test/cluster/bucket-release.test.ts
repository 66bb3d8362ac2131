import { DeleteAccessKeyCommand, DeleteUserCommand, DeleteUserPolicyCommand } from '@aws-sdk/client-iam';
import { DeleteBucketCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from '@jest/globals';
import { principalName } from '../../lib/capabilities/buckets/drivers/s3/principal-names.ts';
import type { Bucket, BucketClass } from '../../lib/capabilities/buckets/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { testClient } from './administrator.ts';
import { contentFor, contentOf, giveBucketUp, untilBucketBound } from './case-bucket-waits.ts';
import { makeBucket, planBucket, runBuckets } from './case-buckets.ts';
import { untilEvents, untilReason } from './case-waits.ts';

const client = testClient();
const longshore = runBuckets();
const { store, driver } = longshore;
const region = 'eu-central-1';
const administrators = store.connect({
  ...{ region, endpoint: undefined, iamEndpoint: undefined, forcePathStyle: false, credentials: undefined },
});

async function bound(fields: Partial<BucketClass> = {}) {
  const plan = planBucket({ provisioner: driver, releasePolicy: 'Delete', ...fields });
  const bucket = await untilBucketBound(client, await makeBucket(client, plan));
  const content = await contentOf(client, bucket);
  return { bucket, content, name: content.spec.bucketIdentifier ?? '' };
}

/** As an administrator does who tidies up by hand. */
async function removeUserOf({ metadata }: Bucket): Promise<void> {
  const UserName = principalName(metadata.uid ?? '');
  const keys = store.liveKeys.filter(({ user }) => user === UserName);
  for (const { id: AccessKeyId } of keys) {
    await administrators.iam.send(new DeleteAccessKeyCommand({ UserName, AccessKeyId }));
  }
  await administrators.iam.send(new DeleteUserPolicyCommand({ UserName, PolicyName: 'access' }));
  await administrators.iam.send(new DeleteUserCommand({ UserName }));
}

describe('what is in the store', () => {
  test('may be gone already when it is released', async () => {
    const { bucket, name } = await bound();
    await removeUserOf(bucket);
    await administrators.s3.send(new DeleteBucketCommand({ Bucket: name }));
    expect([store.bucket(name), store.users]).toEqual([undefined, []]);
    // Of what has just been made the store may not know yet, so it is not believed that there is nothing.
    longshore.passTime(3 * 60_000);
    await giveBucketUp(client, bucket);
  });

  test('is removed part by part, old versions and unfinished uploads as well, and the progress is told', async () => {
    const { bucket, content, name } = await bound({ parameters: { versioning: 'true' } });
    for (let each = 0; each < 10_500; each += 1) store.put(name, `photo-${each % 6_000}`);
    store.hide(name, 'photo-1');
    store.startUpload(name, 'film');
    await client.delete(bucket);
    const { message } = await untilReason(client, content, 'Emptying');
    expect(message).toContain('10000 objects, versions and uploads deleted so far');
    await giveBucketUp(client, bucket);
    await untilEvents(client, content, 'Emptying', 'Released');
    expect([store.bucket(name), store.users]).toEqual([undefined, []]);
  });

  test('stays where the class forbids to empty it, until a person has done so', async () => {
    const { bucket, content, name } = await bound({ parameters: { forceEmpty: 'false' } });
    store.put(name, 'summer.jpg');
    await client.delete(bucket);
    const text = `The bucket ${name} is not empty (old versions and unfinished uploads count too), and forceEmpty is "false"`;
    expect((await contentOf(client, bucket, 'Failed')).status?.message).toContain(text);
    const told = ({ status }: Bucket) => status?.conditions?.some(({ message }) => message.includes(text)) === true;
    await client.until<Bucket>(bucket, told);
    await untilEvents(client, content, 'NotEmpty');
    expect([store.bucket(name)?.versions.length, store.liveKeys]).toEqual([1, []]);
    store.hide(name, 'summer.jpg');
    longshore.passTime(11 * 60_000);
    await longshore.resync();
    await giveBucketUp(client, bucket);
    expect(store.bucket(name)).toBeUndefined();
  });
});

test('a namespace that is deleted takes its Bucket with it, and what is in the store', async () => {
  const { bucket, name } = await bound();
  const { namespace = '' } = bucket.metadata;
  await client.delete({ apiVersion: resources.secret.apiVersion, kind: 'Namespace', metadata: { name: namespace } });
  await client.untilGone(bucket);
  await client.untilGone(contentFor(bucket));
  await client.untilGone({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  expect([store.bucket(name), store.liveKeys]).toEqual([undefined, []]);
});
