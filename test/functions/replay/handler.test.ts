import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, DeleteQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { buildApp } from 'fauxqs';
import { handler } from '../../../functions/replay.ts';
import { about, archiveOf, timeOf } from '../../lib/recovery/replay/case-replay.ts';

/** Against an S3 and an SQS that run in this process, found by the environment as on AWS. */
const server = buildApp({ logger: false });
const before = { ...process.env };
const range = { from: timeOf(0).toISOString(), to: timeOf(3_600).toISOString() };
const plenty = { getRemainingTimeInMillis: () => 900_000 };
let queueUrl = '';
let s3: S3Client;
let sqs: SQSClient;
let count = 0;

beforeAll(async () => {
  const endpoint = await server.listen({ port: 0, host: '127.0.0.1' });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    LONGSHORE_FUNCTION: 'replay',
    LONGSHORE_CLUSTERS: '[{"name":"main","access":{"type":"kubeconfig","from":"file:/a"}}]',
  });
  s3 = new S3Client();
  // Of itself it would go to where the address of a queue says, which nothing here resolves.
  sqs = new SQSClient({ endpoint });
});

beforeEach(async () => {
  count += 1;
  const Bucket = `archive-${count}`;
  await s3.send(new CreateBucketCommand({ Bucket }));
  for (const [Key, Body] of archiveOf(about(...Array.from({ length: 300 }, (_, index) => `claim-${index}`)), 20)
    .objects) {
    await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
  }
  const Attributes = { FifoQueue: 'true' };
  queueUrl = (await sqs.send(new CreateQueueCommand({ QueueName: `q${count}.fifo`, Attributes }))).QueueUrl ?? '';
  Object.assign(process.env, {
    LONGSHORE_ARCHIVE: Bucket,
    LONGSHORE_QUEUES: JSON.stringify({ 'match-claim': queueUrl }),
  });
});

afterEach(async () => {
  await sqs.send(new DeleteQueueCommand({ QueueUrl: queueUrl })).catch(() => {});
});

afterAll(async () => {
  s3.destroy();
  sqs.destroy();
  await server.close();
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});

async function queued(): Promise<number> {
  const asked = { QueueUrl: queueUrl, AttributeNames: ['ApproximateNumberOfMessages' as const] };
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand(asked));
  return Number(Attributes?.ApproximateNumberOfMessages);
}

test('a range is replayed, and what has become of it is answered', async () => {
  const answer = await handler({ ...range, name: 'claim-7' }, plenty);
  expect(answer).toMatchObject({
    isDone: true,
    isDryRun: false,
    ...range,
    clusters: ['main'],
    replayed: [{ function: 'match-claim', kind: 'PersistentVolumeClaim', messages: 1, first: timeOf(7).toISOString() }],
    others: 299,
  });
  expect(answer).not.toHaveProperty('next');
  expect(await queued()).toBe(1);
});

test('a dry run answers the same and sends nothing', async () => {
  const answer = await handler({ ...range, dryRun: true }, plenty);
  expect(answer).toMatchObject({ isDone: true, isDryRun: true, replayed: [{ messages: 300 }] });
  expect(await queued()).toBe(0);
});

test('a cluster that is not served is refused', async () => {
  await expect(handler({ ...range, cluster: 'gone' }, plenty)).rejects.toThrow(
    'no cluster gone is served here; the clusters are main',
  );
  expect(await queued()).toBe(0);
});

test('what there was no time for is answered with the event that goes on with it, until nothing is left', async () => {
  const short = { getRemainingTimeInMillis: () => 0 };
  let answer = await handler({ ...range, rate: 100 }, short);
  expect(answer.isDone).toBe(false);
  expect(answer.next).toEqual({ resume: answer.runId, rate: 100 });
  expect(await queued()).toBeLessThan(300);
  for (let times = 0; answer.next && times < 20; times += 1) answer = await handler(answer.next, short);
  expect(answer).toMatchObject({ isDone: true, replayed: [{ messages: 300 }] });
  expect(await queued()).toBe(300);
});

test('what fails is told with how to go on', async () => {
  await sqs.send(new DeleteQueueCommand({ QueueUrl: queueUrl }));
  const error: unknown = await handler({ ...range, skipDamaged: true }, plenty).catch((reason: unknown) => reason);
  expect(String(error)).toMatch(
    /QueueDoesNotExist.*\(0 messages were put onto their queues; invoke it with \{"resume":"replay-[^"]+","rate":100,"skipDamaged":true\} to continue\)/,
  );
});

test('without an archive there is nothing to replay', async () => {
  process.env.LONGSHORE_ARCHIVE = '';
  await expect(handler(range, plenty)).rejects.toThrow('there is no archive to replay: the deployment has archive=off');
});
