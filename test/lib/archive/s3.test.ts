import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildApp } from 'fauxqs';
import { readArchive, segmentsOf } from '../../../lib/archive/read-archive.ts';
import { archivedClusters, sourceInBucket } from '../../../lib/archive/s3-source.ts';
import { storeInBucket } from '../../../lib/archive/s3-store.ts';
import { segmentName } from '../../../lib/archive/segment-names.ts';
import { SegmentedArchive } from '../../../lib/archive/segmented-archive.ts';
import { realClock } from '../../../lib/runtime/clock.ts';
import { messageOf } from './fake-segments.ts';

/** Against an S3 that runs in this process. */
const server = buildApp({ logger: false });
const bucket = 'messages';
const log = { info: () => {}, error: () => {} };
let client: S3Client;

beforeAll(async () => {
  const endpoint = await server.listen({ port: 0, host: '127.0.0.1' });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  client = new S3Client({ endpoint, region: 'eu-central-1', forcePathStyle: true, maxAttempts: 1, credentials });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
});
afterAll(async () => {
  client.destroy();
  await server.close();
});

const clusters = ['main', 'prod/eu west', 'ключ & "ü"', 'a+b=c'];

test('what is written for clusters of any name is read back, each by itself, and the clusters are told', async () => {
  const started = new Date();
  for (const cluster of clusters) {
    const archive = new SegmentedArchive({ cluster, store: storeInBucket(bucket, client), clock: realClock, log });
    const written: string[] = [];
    for (const body of [`one of ${cluster}`, 'zwei\n']) archive.add(messageOf(body), () => written.push(body));
    await archive.close(10_000);
    expect(written).toEqual([`one of ${cluster}`, 'zwei\n']);
  }
  const ended = new Date(Date.now() + 1);
  for (const cluster of clusters) {
    const found: object[] = [];
    const range = { cluster, from: started, to: ended };
    for await (const message of readArchive(sourceInBucket(bucket, client), range)) found.push(message);
    const expected = [`one of ${cluster}`, 'zwei\n'].map((body) => ({ ...messageOf(body), sentAt: expect.any(Date) }));
    expect(found).toEqual(expected);
  }
  await storeInBucket(bucket, client).put('cluster=m_61in/forged', Buffer.from('x'));
  const told: string[] = [];
  for await (const cluster of archivedClusters(bucket, client)) told.push(cluster);
  expect(told.sort()).toEqual([...clusters].sort());
});

test('a range of more segments than one answer of S3 can list is listed whole', async () => {
  const store = storeInBucket(bucket, client);
  const first = Date.UTC(2026, 0, 1);
  const names = Array.from({ length: 1_010 }, (_, index) =>
    segmentName({ cluster: 'many', time: new Date(first + index * 60_000), writer: 'w', sequence: index }),
  );
  for (const name of names) await store.put(name, Buffer.from('x'));
  const range = { cluster: 'many', from: new Date(first + 5 * 60_000), to: new Date(first + 1_008 * 60_000) };
  const found: string[] = [];
  for await (const name of segmentsOf(sourceInBucket(bucket, client), range)) found.push(name);
  // The one before the range is among them: it may be open for a minute, so that its last message is in the range.
  expect(found).toEqual(names.slice(4, 1_008));
});

test('a bucket that is not there is an error of the put', async () => {
  await expect(storeInBucket('elsewhere', client).put('a', Buffer.from('x'))).rejects.toThrow(/bucket/i);
});
