import { gzipSync } from 'node:zlib';
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { buildApp } from 'fauxqs';
import { toLine } from '../../../../lib/archive/archived-message.ts';
import { archivedClusters, sourceInBucket } from '../../../../lib/archive/s3-source.ts';
import { storeInBucket } from '../../../../lib/archive/s3-store.ts';
import { type Sender, sendTo } from '../../../../lib/queue/send.ts';
import type { Means } from '../../../../lib/recovery/replay/means.ts';
import type { Beginning } from '../../../../lib/recovery/replay/open.ts';
import { Run, type RunOptions } from '../../../../lib/recovery/replay/run.ts';
import { recordsInBucket } from '../../../../lib/recovery/replay/s3-records.ts';
import { realClock } from '../../../../lib/runtime/clock.ts';
import { about, archiveOf, messageOf, nameAt, numberOf, startMs, timeOf } from './case-replay.ts';

/** Against an S3 and an SQS that run in this process. */
const server = buildApp({ logger: false });
let s3: S3Client;
let sqs: SQSClient;
let queueUrl = '';
let sender: Sender;
let bucket = '';
let buckets = 0;

beforeAll(async () => {
  const endpoint = await server.listen({ port: 0, host: '127.0.0.1' });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  s3 = new S3Client({ endpoint, region: 'eu-central-1', forcePathStyle: true, maxAttempts: 1, credentials });
  sqs = new SQSClient({ endpoint, region: 'eu-central-1', credentials });
  const Attributes = {
    FifoQueue: 'true',
    DeduplicationScope: 'messageGroup',
    FifoThroughputLimit: 'perMessageGroupId',
  };
  const made = await sqs.send(new CreateQueueCommand({ QueueName: 'match-claim.fifo', Attributes }));
  queueUrl = made.QueueUrl ?? '';
  sender = sendTo({ 'match-claim': queueUrl }, sqs);
});
afterAll(async () => {
  sender.close();
  s3.destroy();
  sqs.destroy();
  await server.close();
});

beforeEach(async () => {
  buckets += 1;
  bucket = `archive-${buckets}`;
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
});

async function archive(all: Parameters<typeof archiveOf>[0], inSegment?: number): Promise<void> {
  const store = storeInBucket(bucket, s3);
  for (const [name, bytes] of archiveOf(all, inSegment).objects) await store.put(name, bytes);
}

function means(changed: Partial<Means> = {}): Means {
  return {
    source: sourceInBucket(bucket, s3),
    clusters: () => archivedClusters(bucket, s3),
    records: recordsInBucket(bucket, s3),
    functions: ['match-claim'],
    offer: sender.offer,
    clock: realClock,
    signal: new AbortController().signal,
    ...changed,
  };
}

function beginning(begin: Partial<Beginning> = {}, options: Partial<RunOptions> = {}): RunOptions {
  const range = { from: new Date(startMs), to: timeOf(3_600) };
  return { begin: { ...range, filter: {}, oncePerKey: false, ...begin }, isDryRun: false, ...options };
}

async function received(): Promise<number[]> {
  const numbers: number[] = [];
  for (;;) {
    const asked = { QueueUrl: queueUrl, MaxNumberOfMessages: 10 };
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(asked));
    if (Messages.length === 0) return numbers;
    for (const { Body = '', ReceiptHandle } of Messages) {
      numbers.push(numberOf({ body: Body }));
      await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
    }
  }
}

test('what is in the archive comes to its queue again, as often as it is replayed', async () => {
  await archive(about('a', 'b', 'a', 'c', 'b', 'a'));
  for (let times = 0; times < 2; times += 1) {
    const run = await Run.open(beginning(), means());
    expect(await run.run()).toBe(true);
    const numbers = await received();
    expect([...numbers].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(numbers.filter((number) => [0, 2, 5].includes(number))).toEqual([0, 2, 5]);
  }
});

test('a run that was stopped goes on where it was, with what it began with, and then has nothing left to do', async () => {
  await archive(about(...Array.from({ length: 60 }, (_, index) => `claim-${index}`)), 7);
  const stop = new AbortController();
  const first = await Run.open(
    beginning({ to: timeOf(50) }),
    means({
      signal: stop.signal,
      offer: (...call) => {
        stop.abort();
        return sender.offer(...call);
      },
    }),
  );
  expect(await first.run()).toBe(false);
  const before = await received();
  expect(before.length).toBeLessThan(50);
  const resume = { begin: { resume: first.runId }, isDryRun: false };
  const second = await Run.open(resume, means());
  expect([await second.run(), second.replayed, second.wish]).toEqual([true, 50, first.wish]);
  const all = [...before, ...(await received())];
  expect(all.sort((one, other) => one - other)).toEqual([...Array(50).keys()]);
  const third = await Run.open(resume, means());
  expect([await third.run(), third.summary]).toEqual([true, second.summary]);
  expect(await received()).toEqual([]);
});

test('its record stands beside the segments, where nobody takes it for one', async () => {
  await archive(about('a'));
  const run = await Run.open(beginning(), means());
  await run.run();
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'replays/' }));
  expect(Contents.map(({ Key }) => Key)).toEqual([`replays/${run.runId}.json`]);
  expect(JSON.parse((await recordsInBucket(bucket, s3).read(run.runId)) ?? '')).toMatchObject({
    version: 1,
    runId: run.runId,
    isDone: true,
    position: { cluster: 'main', lines: 1 },
  });
  await received();
});

test('what is about clusters that are not served is left out and told, where no cluster is named', async () => {
  await archive(
    ['main', 'gone', 'main', 'edge', 'past'].map((cluster, index) => ({ cluster, name: `claim-${index}` })),
  );
  const told: (readonly string[])[] = [];
  const onUnserved = (clusters: readonly string[]) => told.push(clusters);
  const run = await Run.open(beginning(), means({ served: ['main', 'edge', 'new'], onUnserved }));
  expect([await run.run(), run.wish.clusters, told]).toEqual([true, ['edge', 'main'], [['gone', 'past']]]);
  expect((await received()).sort()).toEqual([0, 2, 3]);
});

test('a cluster of whose name there is another spelling in the archive is replayed once, and counted once', async () => {
  await archive(about('a', 'b'));
  const forged = nameAt(0).replace('cluster=main/', 'cluster=_6dain/');
  await storeInBucket(bucket, s3).put(forged, gzipSync(toLine(messageOf({ name: 'x' }, 0), timeOf(0))));
  const run = await Run.open(beginning(), means({ served: ['main'] }));
  expect([await run.run(), run.wish.clusters, run.replayed]).toEqual([true, ['main'], 2]);
  expect((await received()).sort()).toEqual([0, 1]);
});

test('a cluster that is told twice is replayed once', async () => {
  await archive(about('a', 'b'));
  const clusters = async function* () {
    yield* ['main', 'main'];
  };
  const run = await Run.open(beginning(), means({ clusters }));
  expect([await run.run(), run.wish.clusters, run.replayed]).toEqual([true, ['main'], 2]);
  await received();
});

test('of clusters that somebody has made up in the archive a few are told, however many there are', async () => {
  await archive(about('a'));
  const clusters = async function* () {
    for (let number = 0; number < 1_000; number += 1) yield `made-up-${number}`;
    yield 'main';
  };
  const told: (readonly string[])[] = [];
  const onUnserved = (some: readonly string[]) => told.push(some);
  const run = await Run.open(beginning(), means({ clusters, served: ['main'], onUnserved }));
  expect([await run.run(), run.wish.clusters, told]).toMatchObject([true, ['main'], [{ length: 20 }]]);
  await received();
});

test('a dry run sends and keeps nothing', async () => {
  await archive(about('a', 'b'));
  const run = await Run.open(beginning({}, { isDryRun: true }), means());
  expect([await run.run(), run.replayed, await received()]).toEqual([true, 2, []]);
  const { KeyCount } = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'replays/' }));
  expect(KeyCount).toBe(0);
});

describe('nothing is sent, and what is wrong is said,', () => {
  const problemOf = async (options: RunOptions, changed?: Partial<Means>) => {
    const error: unknown = await Run.open(options, means(changed)).catch((reason: unknown) => reason);
    expect(await received()).toEqual([]);
    return String(error);
  };

  test('where the archive is empty', async () => {
    expect(await problemOf(beginning())).toContain('the archive is empty');
  });

  test('where it has nothing of the cluster', async () => {
    await archive([{ name: 'a' }, { name: 'a', cluster: 'edge' }]);
    expect(await problemOf(beginning({ cluster: 'maim' }))).toContain(
      'the archive has no messages about a cluster maim; it has edge, main',
    );
  });

  test('where the cluster is not served', async () => {
    await archive([{ name: 'a' }, { name: 'a', cluster: 'gone' }]);
    expect(await problemOf(beginning({ cluster: 'gone' }), { served: ['main', 'edge'] })).toContain(
      'no cluster gone is served here; the clusters are main, edge',
    );
  });

  test('where none of the clusters that it has something of is served', async () => {
    await archive([{ name: 'a', cluster: 'gone' }]);
    expect(await problemOf(beginning(), { served: ['main'] })).toContain(
      'the archive has no messages about main; it has gone',
    );
  });

  test('where it is stopped before it is known what there is', async () => {
    const clusters = async function* () {
      yield 'main';
      throw new Error('Request aborted');
    };
    const changed = { clusters, signal: AbortSignal.abort() };
    expect(await problemOf(beginning(), changed)).toBe('Error: stopped before it began: nothing was sent');
  });

  test('where it has nothing of the time, with the time of which it has something', async () => {
    await archive(about('a', 'b', 'c', 'd', 'e'));
    const range = { from: timeOf(-7_200), to: timeOf(-3_600) };
    expect(await problemOf(beginning(range))).toContain(
      'the archive has nothing from 2026-11-18T23:00:00.000Z to 2026-11-19T00:00:00.000Z; about main it has messages from 2026-11-19T01:00:00.000Z to 2026-11-19T01:00:04.000Z',
    );
  });

  test('where no such function takes messages', async () => {
    await archive(about('a'));
    expect(await problemOf(beginning({ filter: { function: 'request-bucket' } }))).toContain(
      'messages cannot be replayed to a function request-bucket; the functions are match-claim',
    );
  });

  test.each(['replay-1', '../cluster=main/x', ''])('where there is no run %j', async (resume) => {
    await archive(about('a'));
    expect(await problemOf({ begin: { resume }, isDryRun: false })).toContain(
      `there is no run "${resume}" in s3://${bucket}/replays/`,
    );
  });

  test.each(['no JSON', '{}', '{"version":2}', '{"version":1,"runId":"replay-1","wish":{}}'])(
    'where the record of a run is %j',
    async (text) => {
      await recordsInBucket(bucket, s3).write('replay-1', text);
      expect(await problemOf({ begin: { resume: 'replay-1' }, isDryRun: false })).toContain(
        'the record of run replay-1 is damaged, or comes from a later release',
      );
    },
  );

  test('where it cannot be kept how far it has come', async () => {
    await archive(about('a'));
    const records = { ...recordsInBucket(bucket, s3), write: () => Promise.reject(new Error('Access Denied')) };
    expect(await problemOf(beginning(), { records })).toContain(
      `cannot be saved in s3://${bucket}/replays/, so nothing was sent: Access Denied. Allow s3:PutObject there`,
    );
  });
});
