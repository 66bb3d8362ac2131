import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { connectTo } from '../../lib/capabilities/buckets/drivers/s3/connect.ts';
import { createS3Driver } from '../../lib/capabilities/buckets/drivers/s3/s3-driver.ts';
import { hostileText } from '../fuzz/hostile-values.ts';
import { withBucket } from '../lib/capabilities/buckets/drivers/case-access.ts';
import {
  bucket,
  creating,
  deleting,
  granting,
  region,
  revoking,
} from '../lib/capabilities/buckets/drivers/requests.ts';

/** The store at the address that a class names belongs to somebody who says whatever they like. */

interface Answer {
  status: number;
  body: string;
}

const secret = 'the-administrators-secret-key';
const seen: string[] = [];
let answers: readonly Answer[] = [];

const server = createServer((incoming, outgoing) => {
  seen.push(JSON.stringify(incoming.rawHeaders));
  incoming.resume();
  const { status, body } = answers[seen.length % answers.length] ?? { status: 404, body: '' };
  outgoing.writeHead(status, { 'content-type': 'application/xml' }).end(body);
});
let endpoint = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const escaped = (text: string) => text.replaceAll(/[<>&\p{Cc}]/gu, '_');
const elements = [
  'TagSet',
  'Buckets',
  'User',
  'AccessKeyMetadata',
  'AccessKey',
  'Versions',
  'Error',
  'ListUsersResult',
];
const codes = ['NoSuchBucket', 'BucketAlreadyOwnedByYou', 'EntityAlreadyExists', 'NoSuchEntity', 'AccessDenied', 'x'];
const documents = fc.oneof(
  hostileText,
  fc
    .tuple(fc.constantFrom(...elements), hostileText)
    .map(([name, text]) => `<${name}><X>${escaped(text)}</X></${name}>`),
  fc.tuple(fc.constantFrom(...codes), hostileText).map(([code, text]) => {
    return `<Error><Code>${code}</Code><Message>${escaped(text)}</Message></Error>`;
  }),
  fc.constant('<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;&c;&c;&c;</a>'),
  fc.constant(`<a>${'<b>'.repeat(2_000)}`),
  fc.constant(''),
);
const oneAnswer = fc.record({ status: fc.constantFrom(200, 204, 301, 307, 400, 403, 404, 409), body: documents });

const results = ['created', 'granted', 'revoked', 'deleted', 'emptying', 'foreign', 'occupied'];
const failures = ['invalid', 'taken', 'missing', 'denied', 'unavailable'];

test('whatever a store says, a call ends with one of the outcomes, or with an error, and tells no key', async () => {
  const calls = fc.constantFrom('createBucket', 'grantBucketAccess', 'revokeBucketAccess', 'deleteBucket');
  const property = fc.asyncProperty(calls, fc.array(oneAnswer, { minLength: 1, maxLength: 8 }), async (call, list) => {
    answers = list;
    const driver = createS3Driver('s3.example.com', connectTo());
    const secrets = { AWS_ACCESS_KEY_ID: 'administrators-id', AWS_SECRET_ACCESS_KEY: secret };
    const parameters = { region, endpoint, driverSecretName: 'administrator' };
    const request = { ...granting(), parameters, secrets, deadline: Date.now() + 5_000 };
    const outcome = await driver[call](request).catch((error: unknown) => ({ result: 'thrown', error: String(error) }));
    expect([...results, ...failures, 'thrown']).toContain(outcome.result);
    expect(JSON.stringify(outcome)).not.toContain(secret);
  });
  await fc.assert(property, { numRuns: 300, seed: 1 });
  expect(seen.join('')).not.toContain(secret);
});

describe('what a class says cannot make a policy mean more than it says', () => {
  test.each(['*', 'photos-*', 'photo?', 'photos/../*', `\${aws:username}`, 'a:b', ''])(
    'the bucket %j is none, and gets no policy',
    async (name) => {
      const { driver, store } = await withBucket();
      const grant = await driver.grantBucketAccess(granting({ bucket: name }));
      expect(grant).toMatchObject({ result: 'invalid' });
      expect(store.liveKeys).toEqual([]);
    },
  );

  test.each(['key/*', 'key/a?', 'alias/all', 'key/a/*'])(
    '%s is not the one key that a class can name',
    async (name) => {
      const { driver } = await withBucket();
      const kmsKeyId = `arn:aws:kms:eu-central-1:111122223333:${name}`;
      const parameters = { region, encryption: 'aws:kms', kmsKeyId };
      expect(driver.check(parameters, 'Greenfield')).toEqual([expect.stringContaining('kmsKeyId')]);
    },
  );
});

test('the requests of a class go to its address alone, whatever else there is', async () => {
  const before = seen.length;
  answers = [{ status: 404, body: '<Error><Code>NoSuchBucket</Code><Message>none</Message></Error>' }];
  const driver = createS3Driver('s3.example.com', connectTo());
  const secrets = { AWS_ACCESS_KEY_ID: 'administrators-id', AWS_SECRET_ACCESS_KEY: secret };
  const also = { parameters: { region, endpoint, driverSecretName: 'administrator' }, secrets };
  await driver.createBucket(creating({ ...also, deadline: Date.now() + 5_000 }));
  await driver.deleteBucket(deleting({ ...also, deadline: Date.now() + 5_000 }));
  await driver.revokeBucketAccess(revoking({ ...also, deadline: Date.now() + 5_000 }));
  const hosts = seen.slice(before).map((headers) => /"host","([^"]*)"/i.exec(headers)?.[1]);
  expect(new Set(hosts)).toEqual(new Set([new URL(endpoint).host]));
  expect(bucket).not.toBe('');
});
