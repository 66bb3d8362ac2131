import {
  CreateAccessKeyCommand,
  DeleteAccessKeyCommand,
  DeleteUserCommand,
  DeleteUserPolicyCommand,
  GetUserCommand,
} from '@aws-sdk/client-iam';
import { HeadBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, expect, test } from '@jest/globals';
import type { BucketContent } from '../../lib/capabilities/buckets/objects.ts';
import type { ConfigMap, Secret } from '../../lib/kubernetes/objects.ts';
import { contentNamed, environmentIn, secretOf } from '../../tools/local/bucket-objects.ts';
import { clusterName } from '../../tools/local/local-stack.ts';
import { permitted } from './case-store.ts';
import {
  bound,
  client,
  deployed,
  iam,
  invoke,
  orphanedUser,
  s3,
  sweepLater,
  unclaimedBucket,
} from './sweep-buckets-case.ts';

afterAll(() => {
  for (const each of [deployed.sqs, deployed.lambda, s3, iam]) each.destroy();
});

const reportPlace = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'longshore-system', name: 'bucket-orphans' },
};

test('what nobody asks for any more is reported, and goes when it is named', async () => {
  const living = await bound();
  const orphan = await orphanedUser();
  const [empty, filled] = [await unclaimedBucket(), await unclaimedBucket()];
  await s3.send(new PutObjectCommand({ Bucket: filled, Key: 'there', Body: 'x' }));
  await s3.send(new PutObjectCommand({ Bucket: living.name, Key: 'there', Body: 'x' }));
  const { AccessKey: extra } = await iam.send(new CreateAccessKeyCommand({ UserName: living.user }));

  const report = await invoke();
  const about = {
    cluster: clusterName,
    driver: expect.any(String),
    madeAt: expect.any(String),
    message: expect.any(String),
  };
  expect(report.problems).toEqual([]);
  expect(report.findings).toEqual(
    expect.arrayContaining([
      { ...about, verdict: 'orphaned', name: `user/${orphan.user}` },
      { ...about, verdict: 'unclaimed', name: `bucket/${empty}` },
      { ...about, verdict: 'unclaimed', name: `bucket/${filled}` },
    ]),
  );
  expect(JSON.stringify(report)).not.toContain(living.user);
  const { data } = await client.until<ConfigMap>(reportPlace as ConfigMap);
  expect(data?.findings).toContain(orphan.user);

  const names = [`user/${orphan.user}`, `bucket/${empty}`, `bucket/${filled}`];
  const livings = [`user/${living.user}`, `bucket/${living.name}`, `key/${living.environment.AWS_ACCESS_KEY_ID}`];
  const young = await invoke({ remove: [...names, ...livings] });
  expect(young.removed).toEqual([]);
  expect(young.refused).toEqual([
    ...names.map((name) => ({ name, why: expect.stringContaining('less than an hour old') })),
    ...livings.map((name) => ({ name, why: expect.stringContaining('not an orphan') })),
  ]);

  const superfluous = `key/${extra?.AccessKeyId}`;
  const { removed, refused } = await sweepLater([...names, ...livings, superfluous]);
  expect(removed).toEqual([`user/${orphan.user}`, `bucket/${empty}`, superfluous]);
  expect(refused.map(({ name }) => name)).toEqual([`bucket/${filled}`, ...livings]);
  await expect(iam.send(new GetUserCommand({ UserName: orphan.user }))).rejects.toMatchObject({ Code: 'NoSuchEntity' });
  await expect(s3.send(new HeadBucketCommand({ Bucket: empty }))).rejects.toMatchObject({ name: 'NotFound' });
  await s3.send(new HeadBucketCommand({ Bucket: filled }));
  expect(await permitted(living.environment, living.name)).toContain('put');
});

test('a consumer whose user was deleted by hand is reported, and gets another one when its Secret is deleted', async () => {
  const { asked, user: UserName, content, environment } = await bound();
  const { AWS_ACCESS_KEY_ID: AccessKeyId } = environment;
  await iam.send(new DeleteAccessKeyCommand({ UserName, AccessKeyId }));
  const missing = async () => (await invoke()).findings.filter(({ name }) => name === `bucketcontent/${content}`);
  expect(await missing()).toMatchObject([
    {
      verdict: 'missing',
      message: expect.stringContaining(`the key ${AccessKeyId} in its Secret does not exist`),
    },
  ]);
  await iam.send(new DeleteUserPolicyCommand({ UserName, PolicyName: 'access' }));
  await iam.send(new DeleteUserCommand({ UserName }));
  expect(await missing()).toMatchObject([
    { verdict: 'missing', message: expect.stringContaining('its credentials do not exist') },
  ]);
  const { spec } = (await client.get(contentNamed(content) as BucketContent)) ?? {};
  await client.delete({ apiVersion: 'v1', kind: 'Secret', metadata: spec?.secretRef ?? { name: '' } });
  const renewed = (secret: Secret) => environmentIn(secret).AWS_ACCESS_KEY_ID !== AccessKeyId;
  await client.until<Secret>(secretOf(asked), renewed);
  expect(await missing()).toEqual([]);
});

test('what is asked for in another form removes nothing', async () => {
  await expect(invoke({ remove: 'user/any' })).rejects.toThrow('must be a list of names');
});
