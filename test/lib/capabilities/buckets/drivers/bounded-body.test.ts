import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { createDrivers } from '../../../../../lib/capabilities/buckets/drivers/drivers.ts';
import { creating, deleting, granting, revoking } from './requests.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** What comes of a call to a store that answers everything so, with its whole time before it. */
async function outcomeAt(
  answer: (outgoing: ServerResponse) => void,
  call: 'createBucket' | 'deleteBucket' | 'grantBucketAccess' | 'revokeBucketAccess',
) {
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    answer(outgoing);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const driver = createDrivers([{ name: 'x.example.com', type: 's3' }]).get('x.example.com');
  const about = {
    parameters: { endpoint, driverSecretName: 'store' },
    secrets: { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' },
    deadline: Date.now() + 60_000,
  };
  const requests = {
    createBucket: creating(about),
    deleteBucket: deleting(about),
    grantBucketAccess: granting(about),
    revokeBucketAccess: revoking(about),
  };
  return driver?.[call](requests[call] as never);
}

const block = '<Contents></Contents>'.repeat(50_000);

function endless(status: number) {
  return (outgoing: ServerResponse) => {
    outgoing.writeHead(status, { 'content-type': 'application/xml' });
    const go = () => {
      while (!outgoing.destroyed && outgoing.write(block)) {}
    };
    outgoing.on('drain', go);
    go();
  };
}

const calls = ['createBucket', 'deleteBucket', 'grantBucketAccess', 'revokeBucketAccess'] as const;

test.each(calls)('an answer without an end to %s is given up, and the call is to be tried again', async (call) => {
  expect(await outcomeAt(endless(200), call)).toMatchObject({
    result: 'unavailable',
    message: expect.stringContaining('AnswerTooLarge'),
  });
});

test('an error without an end is given up like any answer', async () => {
  expect(await outcomeAt(endless(403), 'createBucket')).toMatchObject({
    result: 'unavailable',
    message: expect.stringContaining('more than'),
  });
});

test('an answer that would become much when it is parsed is not parsed', async () => {
  const many = `<?xml version="1.0"?><ListBucketResult>${'<a/>'.repeat(200_000)}</ListBucketResult>`;
  const outcome = await outcomeAt((outgoing) => void outgoing.end(many), 'deleteBucket');
  expect(outcome).toMatchObject({ result: 'unavailable', message: expect.stringContaining('elements') });
  const entities = `<!DOCTYPE a [<!ENTITY b "${'b'.repeat(1_000)}">]><Error><Code>${'&b;'.repeat(10_000)}</Code></Error>`;
  const defined = await outcomeAt((outgoing) => void outgoing.writeHead(400).end(entities), 'deleteBucket');
  expect(defined).toMatchObject({ result: 'unavailable', message: expect.stringContaining('document type') });
});

test('an answer that comes drop by drop is not waited for until the deadline', async () => {
  const drip = (outgoing: ServerResponse) => {
    outgoing.writeHead(200).write('<?xml version="1.0"?>');
    const timer = setInterval(() => outgoing.write(' '), 100);
    outgoing.on('close', () => clearInterval(timer));
  };
  expect(await outcomeAt(drip, 'createBucket')).toMatchObject({
    result: 'unavailable',
    message: expect.stringContaining('too long to complete'),
  });
});
