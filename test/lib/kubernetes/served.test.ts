import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Connection } from '../../../lib/kubernetes/connection.ts';
import { errorFromAnswer } from '../../../lib/kubernetes/errors.ts';
import { isOfLackingKind } from '../../../lib/kubernetes/lacking-kind.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { RestCluster } from '../../../lib/kubernetes/rest-cluster.ts';
import { asServed, canBeLeftOut, type Discovered } from '../../../lib/kubernetes/served.ts';
import { selfSignedCertificate } from '../../../tools/control-plane/certificate.ts';
import { grant } from '../../support/builders.ts';

const certificate = selfSignedCertificate();
const asked: string[] = [];
/** What is answered where; everything else is not found, in the words of an API server that does not know the path. */
const answers = new Map<string, { status: number; body: unknown }>();

const server = createServer(certificate, (incoming, outgoing) => {
  asked.push(incoming.url ?? '');
  const { status, body } = answers.get(incoming.url ?? '') ?? { status: 404, body: '404 page not found' };
  outgoing.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
});
let connection: Connection;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  connection = new Connection({ server: address, certificateAuthority: certificate.cert });
});
afterEach(() => {
  asked.length = 0;
  answers.clear();
});
afterAll(async () => {
  connection.close();
  await new Promise((resolve) => server.close(resolve));
});

const group = '/apis/gateway.networking.k8s.io';
const { referenceGrant, claim, bucket, bucketClass, secret } = resources;
const kinds = (...names: string[]) => ({ status: 200, body: { resources: names.map((name) => ({ name })) } });
const serves = (version: string, ...names: string[]) => void answers.set(`${group}/${version}`, kinds(...names));

describe('a kind with older versions', () => {
  test('is taken in the newest that is served', async () => {
    serves('v1', 'gateways', 'referencegrants');
    serves('v1beta1', 'referencegrants');
    expect(await asServed(connection, referenceGrant)).toEqual(referenceGrant);
    expect(asked).toEqual([`${group}/v1`]);
  });

  test('is taken in an older one where the newer ones are not served', async () => {
    serves('v1beta1', 'referencegrants');
    expect(await asServed(connection, referenceGrant)).toMatchObject({
      apiVersion: 'gateway.networking.k8s.io/v1beta1',
      kind: 'ReferenceGrant',
    });
  });

  test('is looked for in older versions where a newer one is served without it', async () => {
    serves('v1', 'gateways', 'referencegrants/status');
    serves('v1alpha2', 'referencegrants');
    expect(await asServed(connection, referenceGrant)).toMatchObject({
      apiVersion: expect.stringMatching(/v1alpha2$/),
    });
    expect(asked).toEqual([`${group}/v1`, `${group}/v1beta1`, `${group}/v1alpha2`]);
  });

  test('may not be served at all', async () => {
    expect(await asServed(connection, referenceGrant)).toBeUndefined();
  });

  test.each([
    [401, 'unauthorized'],
    [403, 'denied'],
    [429, 'throttled'],
    [503, 'unreachable'],
  ])('is not taken for one that is not served when the answer is %p', async (status, errorClass) => {
    const message = 'is forbidden: User "longshore" cannot get path';
    answers.set(`${group}/v1`, { status, body: { kind: 'Status', status: 'Failure', message } });
    await expect(asServed(connection, referenceGrant)).rejects.toMatchObject({ class: errorClass });
  });
});

describe('a kind that may be lacking', () => {
  const version = `/apis/${bucket.apiVersion}`;

  test('is looked for in its version, and together with the others of that version', async () => {
    const discovered: Discovered = new Map();
    answers.set(version, kinds('buckets', 'buckets/status'));
    expect(await asServed(connection, bucket, discovered)).toEqual(bucket);
    expect(await asServed(connection, bucketClass, discovered)).toBeUndefined();
    expect(asked).toEqual([version]);
  });

  test('is looked for anew where nothing is known yet', async () => {
    expect(await asServed(connection, bucket)).toBeUndefined();
    answers.set(version, kinds('buckets'));
    expect(await asServed(connection, bucket)).toEqual(bucket);
  });

  test('is not taken for lacking when somebody else answers', async () => {
    answers.set(version, { status: 404, body: '<h1>Not Found</h1>' });
    await expect(asServed(connection, bucket)).rejects.toMatchObject({ class: 'unreachable' });
  });
});

describe('what may be left out', () => {
  const status = (message: string) => JSON.stringify({ kind: 'Status', message });
  const denied = errorFromAnswer(403, status('secrets is forbidden: User "forward" cannot list resource "secrets"'));
  const rejected = errorFromAnswer(403, status('secrets "a" is forbidden: exceeded quota'));
  const unserved = errorFromAnswer(404, '404 page not found\n');
  const lost = errorFromAnswer(404, 'no such page');

  test.each([
    ['a kind that may be denied, and is', secret, denied, true],
    ['a kind that may be denied, and fails otherwise', secret, rejected, false],
    ['a kind that may be denied, and is not served', secret, unserved, false],
    ['a kind that must be seen', claim, denied, false],
    ['a kind that may be lacking, and is', bucket, unserved, true],
    ['a kind of many versions, all of which are lacking', referenceGrant, unserved, true],
    ['a kind that may be lacking, and is denied', bucket, denied, false],
    ['a kind that may be lacking, of which a proxy knows nothing', bucket, lost, false],
    ['a kind that must be there', claim, unserved, false],
    ['a kind that fails in our own words', secret, new Error('404 page not found'), false],
  ])('%s', (_, resource, error, expected) => {
    expect(canBeLeftOut(resource, error)).toBe(expected);
  });
});

test('a kind that has always been there is not looked for', async () => {
  expect(await asServed(connection, claim)).toBe(claim);
  expect(asked).toEqual([]);
});

describe('a list', () => {
  const cluster = () => new RestCluster('test', connection);
  const list = `${group}/v1beta1/namespaces/prod/referencegrants`;

  test('is that of the version that is served', async () => {
    answers.set(`${list}?limit=500`, { status: 200, body: { items: [grant()] } });
    const found = await cluster().list(referenceGrant, 'prod');
    expect([found, isOfLackingKind(found)]).toEqual([[grant()], false]);
    expect(asked.at(-1)).toBe(`${list}?limit=500`);
  });

  test('of a kind that is not served is empty', async () => {
    const found = await cluster().list(referenceGrant, 'prod');
    expect([found, isOfLackingKind(found)]).toEqual([[], true]);
  });

  test('of a kind that is served and fails is no empty list', async () => {
    answers.set(`${list.replace('v1beta1', 'v1')}?limit=500`, { status: 503, body: 'etcd has no leader' });
    answers.set(`${list}?limit=500`, { status: 200, body: { items: [grant()] } });
    await expect(cluster().list(referenceGrant, 'prod')).rejects.toMatchObject({ class: 'unreachable' });
  });
});
