import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { meansOf } from '../../../../lib/recovery/replay/deployed.ts';
import { FetchedAhead } from '../../../../lib/recovery/replay/fetched-ahead.ts';
import { realClock } from '../../../../lib/runtime/clock.ts';

/** An S3 that begins to answer and never ends, as behind a connection that was cut without a word. */
let isAnswering = () => {};
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-length': '1000', 'x-amz-checksum-crc32': 'AAAAAA==' });
  response.write('<?xml version="1.0"?>');
  isAnswering();
});
const before = { ...process.env };

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
});

afterAll(async () => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

async function allOf(answers: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const answer of answers) all.push(answer);
  return all;
}

type Deployed = ReturnType<typeof meansOf>;

test.each<[string, (means: Deployed, signal: AbortSignal) => Promise<unknown>]>([
  ['the list of clusters', ({ clusters }) => allOf(clusters())],
  ['a list of segments', ({ source }) => allOf(source.list('cluster=main/', ''))],
  ['a segment', ({ source }, signal) => new FetchedAhead(source, realClock, signal).open('segment')],
  ['the record of a run', ({ records }) => records.read('replay-1')],
])('who stops does not wait for %s that has stopped coming', async (_, read) => {
  const stop = new AbortController();
  const answering = new Promise<void>((resolve) => {
    isAnswering = resolve;
  });
  const means = meansOf('archive', {}, { signal: stop.signal });
  const reading = read(means, stop.signal).then(
    () => 'read',
    () => 'stopped',
  );
  await answering;
  stop.abort();
  expect(await reading).toBe('stopped');
  means.close();
});
