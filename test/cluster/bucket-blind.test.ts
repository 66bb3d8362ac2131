import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { Bucket } from '../../lib/capabilities/buckets/objects.ts';
import { testClient } from './administrator.ts';
import {
  contentOf,
  environmentFor,
  giveBucketUp,
  sourceSecretOf,
  untilBucketBound,
  userSecretOf,
} from './case-bucket-waits.ts';
import { makeBucket, planBucket, runBuckets, secretNamed } from './case-buckets.ts';
import { untilReason } from './case-waits.ts';
import { untilAllowed } from './role-permissions.ts';

/** A forwarder for which manifests/rbac/forward-secrets.yaml has not been applied. */
const account = `forward-${randomBytes(4).toString('hex')}`;
const client = testClient();
beforeAll(async () => {
  const apiGroup = 'rbac.authorization.k8s.io';
  const metadata = { namespace: 'longshore-system', name: account };
  await client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  const roleRef = { apiGroup, kind: 'ClusterRole', name: 'longshore-forward' };
  const subjects = [{ kind: 'ServiceAccount', ...metadata }];
  const binding = { apiVersion: `${apiGroup}/v1`, kind: 'ClusterRoleBinding', metadata: { name: account } };
  await client.create({ ...binding, roleRef, subjects } as typeof binding);
  await untilAllowed(client, account, { apiGroups: ['cosi.io'], resources: ['buckets'], verbs: ['list'] });
});
const longshore = runBuckets({ accountOf: (name) => (name === 'forward' ? account : name) });
const planned = () => planBucket({ provisioner: longshore.driver, releasePolicy: 'Delete' });

test('a forwarder that may not see Secrets says so, and everything else works', async () => {
  const bucket = await untilBucketBound(client, await makeBucket(client, planned()));
  expect(longshore.log()).toContainEqual(
    expect.stringMatching(/^kind left out .*"kind":"Secret".*cannot list resource/),
  );
  await giveBucketUp(client, bucket);
  expect(longshore.store.users).toEqual([]);
});

test('what happens to the Secrets is put right at the next list', async () => {
  const bucket = await untilBucketBound(client, await makeBucket(client, planned()));
  const before = await userSecretOf(client, bucket);
  await client.delete(before);
  await longshore.resync();
  const again = await userSecretOf(client, bucket);
  expect(again.data).toEqual(before.data);
  await client.change(again, { data: { BUCKET_NAME: null } });
  await longshore.resync();
  await userSecretOf(client, bucket, ({ data }) => data?.BUCKET_NAME === before.data?.BUCKET_NAME);
  const { AWS_ACCESS_KEY_ID: lost } = await environmentFor(client, bucket);
  await client.delete(await sourceSecretOf(client, await contentOf(client, bucket)));
  await longshore.resync();
  const isNew = ({ status }: Bucket) => status?.phase === 'Bound';
  await userSecretOf(client, bucket, ({ data }) => data?.AWS_ACCESS_KEY_ID !== before.data?.AWS_ACCESS_KEY_ID);
  await client.until<Bucket>(bucket, isNew);
  const { AWS_ACCESS_KEY_ID: id } = await environmentFor(client, bucket);
  expect([longshore.store.liveKeys.map((key) => key.id), id === lost]).toEqual([[id], false]);
  await giveBucketUp(client, bucket);
});

test('a name that has become free is found so at the next list', async () => {
  const { namespace, bucketClass, bucket: wanted } = planned();
  await client.createNamespace(namespace);
  const others = await client.create(secretNamed(namespace, wanted.spec.secretName));
  await client.create(bucketClass);
  const bucket = await client.create(wanted);
  await untilReason(client, bucket, 'SecretExists');
  await client.delete(others);
  await longshore.resync();
  await untilBucketBound(client, bucket);
});
