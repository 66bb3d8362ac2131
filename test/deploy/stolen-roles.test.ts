import { randomBytes } from 'node:crypto';
import {
  AttachUserPolicyCommand,
  CreateAccessKeyCommand,
  CreateUserCommand,
  DeleteUserCommand,
  IAMClient,
  ListUsersCommand,
  PutUserPolicyCommand,
} from '@aws-sdk/client-iam';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deployedStack } from '../support/deployed-stack.ts';
import { archiveBucket } from './case-forward-archive.ts';
import { keysOfRole } from './sweep-buckets-role.ts';

/** What somebody can do in AWS who has got hold of a function's role; docs/security.md says what follows from it. */

const deployed = deployedStack();
const { settings } = deployed;
const archive = await archiveBucket(deployed);
const administrator = new IAMClient(settings);
const bystander = 'bystander';
const clients: { destroy(): void }[] = [administrator, deployed.sqs, deployed.lambda];

async function holding(functionName: string) {
  const credentials = await keysOfRole(deployed, functionName);
  const s3 = new S3Client({ ...settings, credentials, forcePathStyle: true });
  const iam = new IAMClient({ ...settings, credentials });
  clients.push(s3, iam);
  return { s3, iam };
}

const denied = { name: expect.stringMatching(/^AccessDenied/) };

beforeAll(() => administrator.send(new CreateUserCommand({ UserName: bystander })));
afterAll(async () => {
  await administrator.send(new DeleteUserCommand({ UserName: bystander }));
  for (const client of clients) client.destroy();
});

test.each(['match-transfer', 'rebind-volume', 'populate-claim', 'bind-bucket', 'copy-secret', 'request-bucket'])(
  '%s has nothing to do with S3 and IAM',
  async (name) => {
    const { s3, iam } = await holding(name);
    await expect(s3.send(new ListBucketsCommand({}))).rejects.toMatchObject(denied);
    await expect(s3.send(new PutObjectCommand({ Bucket: archive, Key: 'cluster=x', Body: 'x' }))).rejects.toMatchObject(
      denied,
    );
    await expect(iam.send(new ListUsersCommand({}))).rejects.toMatchObject(denied);
    await expect(iam.send(new CreateAccessKeyCommand({ UserName: bystander }))).rejects.toMatchObject(denied);
  },
);

test('forward adds to the archive, and neither reads nor deletes what is there', async () => {
  const { s3 } = await holding('forward');
  const segment = { Bucket: archive, Key: 'cluster=stolen/segment' };
  await s3.send(new PutObjectCommand({ ...segment, Body: 'x' }));
  const cleaning = new S3Client({ ...settings, forcePathStyle: true });
  clients.push(cleaning);
  await expect(s3.send(new GetObjectCommand(segment))).rejects.toMatchObject(denied);
  await expect(s3.send(new DeleteObjectCommand(segment))).rejects.toMatchObject(denied);
  await expect(s3.send(new PutObjectCommand({ Bucket: archive, Key: 'replays/x', Body: 'x' }))).rejects.toMatchObject(
    denied,
  );
  await cleaning.send(new DeleteObjectCommand(segment));
});

test('replay reads the archive, and cannot change what was sent', async () => {
  const { s3 } = await holding('replay');
  const segment = { Bucket: archive, Key: 'cluster=stolen/other' };
  await expect(s3.send(new PutObjectCommand({ ...segment, Body: 'x' }))).rejects.toMatchObject(denied);
  await expect(s3.send(new DeleteObjectCommand(segment))).rejects.toMatchObject(denied);
});

test('provision-bucket makes users of its own alone, and changes nobody else', async () => {
  const { iam } = await holding('provision-bucket');
  const policy = { PolicyName: 'all', PolicyDocument: '{"Version":"2012-10-17","Statement":[]}' };
  const managed = { UserName: bystander, PolicyArn: 'arn:aws:iam::aws:policy/AdministratorAccess' };
  await expect(iam.send(new CreateUserCommand({ UserName: 'operator' }))).rejects.toMatchObject(denied);
  // Its users are below its path: a bare name is there to be asked about and to be deleted.
  await expect(iam.send(new CreateUserCommand({ UserName: 'cosi-attacker' }))).rejects.toMatchObject(denied);
  const elsewhere = { UserName: 'cosi-attacker', Path: '/longshore/another/' };
  await expect(iam.send(new CreateUserCommand(elsewhere))).rejects.toMatchObject(denied);
  await expect(iam.send(new PutUserPolicyCommand({ UserName: bystander, ...policy }))).rejects.toMatchObject(denied);
  await expect(iam.send(new CreateAccessKeyCommand({ UserName: bystander }))).rejects.toMatchObject(denied);
  await expect(iam.send(new AttachUserPolicyCommand(managed))).rejects.toMatchObject(denied);
  await expect(iam.send(new DeleteUserCommand({ UserName: bystander }))).rejects.toMatchObject(denied);
});

test('provision-bucket reads no object, and lists no buckets', async () => {
  const { s3 } = await holding('provision-bucket');
  await expect(s3.send(new ListBucketsCommand({}))).rejects.toMatchObject(denied);
  await expect(s3.send(new GetObjectCommand({ Bucket: archive, Key: 'x' }))).rejects.toMatchObject(denied);
});

test('sweep-buckets deletes no object, and no bucket that has anything in it', async () => {
  const { s3, iam } = await holding('sweep-buckets');
  const object = { Bucket: `held-${randomBytes(4).toString('hex')}`, Key: 'x' };
  const { Bucket } = object;
  const owner = new S3Client({ ...settings, forcePathStyle: true });
  clients.push(owner);
  await owner.send(new CreateBucketCommand({ Bucket }));
  await owner.send(new PutObjectCommand({ ...object, Body: 'x' }));
  await expect(s3.send(new DeleteObjectCommand(object))).rejects.toMatchObject(denied);
  await expect(s3.send(new DeleteBucketCommand({ Bucket }))).rejects.toMatchObject({ name: 'BucketNotEmpty' });
  await owner.send(new DeleteObjectCommand(object));
  await s3.send(new DeleteBucketCommand({ Bucket }));
  await expect(iam.send(new CreateAccessKeyCommand({ UserName: bystander }))).rejects.toMatchObject(denied);
});
