import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Access } from '../../../lib/kubernetes/access/api-access.ts';
import { type Call, Connection } from '../../../lib/kubernetes/connection.ts';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';
import { appliesTo, confirmationAnnotation } from '../../../lib/kubernetes/namespace-consent.ts';
import type { Namespace } from '../../../lib/kubernetes/objects.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import { RestCluster } from '../../../lib/kubernetes/rest-cluster.ts';
import { AnswerTooLong } from '../../../lib/kubernetes/whole-answer.ts';
import { selfSignedCertificate } from '../../../tools/control-plane/certificate.ts';
import { claim } from '../../support/builders.ts';

const certificate = selfSignedCertificate();
const asked: { call: string; headers: Record<string, unknown>; body: unknown }[] = [];
let answer: { status: number; body: unknown } = { status: 200, body: claim() };
let address = '';

const server = createServer(certificate, async (incoming, outgoing) => {
  const body = await text(incoming);
  const { method, url, headers } = incoming;
  asked.push({ call: `${method} ${url}`, headers, body: body === '' ? undefined : JSON.parse(body) });
  outgoing.writeHead(answer.status).end(JSON.stringify(answer.body));
});

const connections: Connection[] = [];
function connect(access: Partial<Access> = {}): Connection {
  const connection = new Connection({ server: address, certificateAuthority: certificate.cert, ...access });
  connections.push(connection);
  return connection;
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  asked.length = 0;
});
afterAll(async () => {
  for (const connection of connections) connection.close();
  await new Promise((resolve) => server.close(resolve));
});

const name = nameOf(resources.claim, 'prod', 'data');
const path = '/api/v1/namespaces/prod/persistentvolumeclaims';
const preconditions = { uid: 'uid-source', resourceVersion: '7' };
const notFound = {
  status: 404,
  body: {
    kind: 'Status',
    reason: 'NotFound',
    message: 'not found',
    details: { name: 'data', kind: 'persistentvolumeclaims' },
  },
};

test('an address without TLS is refused', () => {
  expect(() => new Connection({ server: 'http://127.0.0.1' })).toThrow(
    'must start with https://, but is http://127.0.0.1',
  );
});

test('a server whose authority is not trusted is not talked to', async () => {
  const other = selfSignedCertificate().cert;
  const get = new RestCluster('test', connect({ certificateAuthority: other })).get(name);
  await expect(get).rejects.toMatchObject({ class: 'unreachable', message: expect.stringContaining('certificate') });
  expect(asked).toEqual([]);
});

test('a server that is not there is unreachable', async () => {
  const get = new RestCluster('test', connect({ server: 'https://127.0.0.1:1' })).get(name);
  await expect(get).rejects.toMatchObject({ class: 'unreachable' });
});

test('the token is asked for each call', async () => {
  const tokens = ['first', 'second'];
  const cluster = new RestCluster('test', connect({ token: async () => tokens.shift() ?? '' }));
  answer = { status: 200, body: claim() };
  await cluster.get(name);
  await cluster.get(name);
  expect(asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer first', 'Bearer second']);
});

test('what is there is read, and what is not there is undefined', async () => {
  const cluster = new RestCluster('test', connect());
  answer = { status: 200, body: claim() };
  expect(await cluster.get(name)).toEqual(claim());
  answer = notFound;
  expect(await cluster.get(name)).toBeUndefined();
  expect(asked.map(({ call }) => call)).toEqual([`GET ${path}/data`, `GET ${path}/data`]);
});

test("a proxy's own 404 is no word about the object: nothing is taken for deleted", async () => {
  const cluster = new RestCluster('test', connect());
  answer = { status: 404, body: 'no route' };
  await expect(cluster.get(name)).rejects.toMatchObject({ class: 'unreachable', status: 404 });
  await expect(cluster.list(resources.pod, 'prod')).rejects.toMatchObject({ class: 'unreachable' });
  await expect(cluster.delete(name, preconditions)).rejects.toMatchObject({ class: 'unreachable' });
  await expect(cluster.create(name, claim())).rejects.toMatchObject({ class: 'unreachable' });
});

test('a patch carries its preconditions inside and keeps what it is about', async () => {
  answer = { status: 200, body: claim() };
  const body = { metadata: { finalizers: [] }, spec: { volumeName: 'volume-1' } };
  await new RestCluster('test', connect()).patch(name, body, { preconditions });
  expect(asked[0]).toMatchObject({
    call: `PATCH ${path}/data`,
    headers: { 'content-type': 'application/merge-patch+json' },
  });
  expect(asked[0]?.body).toEqual({ metadata: { finalizers: [], ...preconditions }, spec: { volumeName: 'volume-1' } });
});

test('a patch of the status goes to the status', async () => {
  answer = { status: 200, body: claim() };
  await new RestCluster('test', connect()).patch(name, { status: {} }, { preconditions, subresource: 'status' });
  expect(asked[0]).toMatchObject({ call: `PATCH ${path}/data/status`, body: { status: {}, metadata: preconditions } });
});

test('a deletion answers what is left of the object', async () => {
  const cluster = new RestCluster('test', connect());
  answer = { status: 200, body: claim() };
  expect(await cluster.delete(name, preconditions)).toEqual(claim());
  answer = { status: 200, body: { kind: 'Status', status: 'Success' } };
  expect(await cluster.delete(name, preconditions)).toBeUndefined();
  expect(asked[0]).toMatchObject({ call: `DELETE ${path}/data`, body: { preconditions } });
});

test('a creation in a namespace that is not there is rejected: to read again would not help', async () => {
  answer = notFound;
  await expect(new RestCluster('test', connect()).create(name, claim())).rejects.toMatchObject({ class: 'rejected' });
  expect(asked[0]).toMatchObject({ call: `POST ${path}`, body: claim() });
});

test('the claims of a namespace are listed', async () => {
  answer = { status: 200, body: { items: [claim()] } };
  expect(await new RestCluster('test', connect()).list(resources.claim, 'prod')).toEqual([claim()]);
  expect(asked[0]?.call).toBe('GET /api/v1/namespaces/prod/persistentvolumeclaims?limit=500');
});

describe('a long list', () => {
  const beforeQuery = /^.*\?/;
  /** Answers each path by what is said of it. */
  function clusterOf(answers: Record<string, object | Error>) {
    const paths: string[] = [];
    const send = async ({ path }: Call) => {
      paths.push(path.replace(beforeQuery, ''));
      const body = answers[path.replace(beforeQuery, '')];
      if (body instanceof Error) throw body;
      return { status: 200, body: Buffer.from(JSON.stringify(body)) };
    };
    return { cluster: new RestCluster('test', { sendForBytes: send }), paths };
  }
  const [first, second] = [claim(), claim({ metadata: { name: 'other' } })];
  const tooLong = new ClusterError('oversized', 'too long', undefined, new AnswerTooLong(1));
  const inPages = {
    'limit=500': { metadata: { continue: 'more/1' }, items: [first] },
    'limit=500&continue=more%2F1': { metadata: {}, items: [second] },
  };

  test('is read page by page', async () => {
    const { cluster, paths } = clusterOf(inPages);
    expect(await cluster.list(resources.claim, 'prod')).toEqual([first, second]);
    expect(paths).toEqual(Object.keys(inPages));
  });

  test('of what the server has seen most recently, which has no pages, is read as it is now', async () => {
    const { cluster, paths } = clusterOf({ 'resourceVersion=0': tooLong, ...inPages });
    expect(await cluster.list(resources.claim, 'prod', 'recent')).toEqual([first, second]);
    expect(paths).toEqual(['resourceVersion=0', ...Object.keys(inPages)]);
  });

  test('is asked for with fewer objects at a time when a page of it is too long', async () => {
    const { cluster, paths } = clusterOf({
      'limit=500': tooLong,
      'limit=125': inPages['limit=500'],
      'limit=250&continue=more%2F1': tooLong,
      'limit=62&continue=more%2F1': inPages['limit=500&continue=more%2F1'],
    });
    expect(await cluster.list(resources.claim, 'prod')).toEqual([first, second]);
    expect(paths).toHaveLength(4);
  });

  test('of grants has what they allow, and all that tells whom they were meant for', async () => {
    const written = (time: string) => ({
      manager: 'kubectl',
      operation: 'Update',
      time,
      fieldsV1: { 'f:metadata': { 'f:labels': {} }, 'f:spec': { 'f:from': {}, 'f:to': {} } },
    });
    const annotations = { [confirmationAnnotation]: 'uid-other', large: 'x'.repeat(1_000) };
    const creationTimestamp = '2026-03-01T11:00:00Z';
    const metadata = { name: 'allow', namespace: 'prod', creationTimestamp };
    const spec = {
      from: [{ group: 'g', kind: 'K', namespace: 'stage' }],
      to: [{ group: '', kind: 'L', name: 'data' }],
    };
    const consent = { apiVersion: 'v1', kind: 'ReferenceGrant', metadata, spec };
    const rewritten = { ...consent, metadata: { ...metadata, managedFields: [written('2026-03-01T13:00:00Z')] } };
    const confirmed = { ...consent, metadata: { ...metadata, annotations } };
    const { cluster } = clusterOf({ 'limit=500': { metadata: {}, items: [consent, rewritten, confirmed] } });
    const listed = await cluster.list(resources.referenceGrant, 'prod');
    const later: Namespace = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'stage', uid: 'uid-other', creationTimestamp: '2026-03-01T12:00:00Z' },
    };
    expect(listed.map((each) => appliesTo(each, later))).toEqual([false, false, true]);
    expect(listed.map((each) => each.spec)).toEqual([spec, spec, spec]);
    expect(JSON.stringify(listed)).not.toContain('xxx');
  });

  test('is no list when a single object of it is too long', async () => {
    const sizes = ['500', '125', '31', '7', '1'];
    const { cluster, paths } = clusterOf(Object.fromEntries(sizes.map((size) => [`limit=${size}`, tooLong])));
    await expect(cluster.list(resources.pod, 'prod')).rejects.toBe(tooLong);
    expect(paths).toEqual(sizes.map((size) => `limit=${size}`));
  });

  test('of pods has their names and what they use, and nothing else', async () => {
    const metadata = { name: 'web', namespace: 'prod', creationTimestamp: 'then', labels: { any: 'x' } };
    const volumes = [
      { name: 'data', persistentVolumeClaim: { claimName: 'data', readOnly: true } },
      { name: 'own', ephemeral: { volumeClaimTemplate: { spec: {} } } },
      { name: 'config', configMap: { name: 'config' } },
    ];
    const containers = [{ name: 'web', env: [{ name: 'LARGE', value: 'x'.repeat(1_000) }] }];
    const pod = {
      metadata,
      spec: { nodeName: 'node-1', volumes, containers },
      status: { phase: 'Running', podIP: '10.0.0.1' },
    };
    const { cluster } = clusterOf({ 'limit=500': { metadata: {}, items: [pod] } });
    expect(await cluster.list(resources.pod, 'prod')).toEqual([
      {
        metadata: { name: 'web', namespace: 'prod', creationTimestamp: 'then' },
        spec: {
          nodeName: 'node-1',
          volumes: [
            { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
            { name: 'own', ephemeral: {} },
            { name: 'config' },
          ],
        },
        status: { phase: 'Running' },
      },
    ]);
  });
});

test('each call of a traced cluster is a span of its own, by which the audit log can be searched', async () => {
  answer = { status: 200, body: claim() };
  const cluster = new RestCluster('main', connect());
  const trace = { id: '4bf92f3577b34da6a3ce929d0e0e4736', flags: '01' };
  const traced = cluster.within({ trace });
  const name = nameOf(resources.claim, 'prod', 'data');
  await traced.get(name);
  await traced.create(name, claim());
  await cluster.get(name);
  const [first, second, untraced] = asked.map(({ headers }) => headers);
  for (const headers of [first, second]) {
    const [, span] = /^00-4bf92f3577b34da6a3ce929d0e0e4736-([0-9a-f]{16})-01$/.exec(String(headers?.traceparent)) ?? [];
    expect(span).toBeDefined();
    expect(headers?.['audit-id']).toBe(`${trace.id}-${span}`);
  }
  expect(first?.['audit-id']).not.toBe(second?.['audit-id']);
  expect(Object.keys(untraced ?? {})).not.toContain('traceparent');
  expect(Object.keys(untraced ?? {})).not.toContain('audit-id');
});

test('an answer that is none is told without a word of it', async () => {
  const garbled = '{"kind":"Secret","data":{"password":"c2VjcmV0"}';
  const cluster = new RestCluster('main', { sendForBytes: async () => ({ status: 200, body: Buffer.from(garbled) }) });
  const reading = cluster.get(nameOf(resources.secret, 'prod', 'keys'));
  await expect(reading).rejects.toMatchObject({ class: 'unreachable', message: expect.not.stringContaining('c2Vj') });
});

test('a call says who calls', async () => {
  const userAgent = 'longshore/match-claim';
  const connection = new Connection({ server: address, certificateAuthority: certificate.cert }, { userAgent });
  connections.push(connection);
  await new RestCluster('main', connection).get(nameOf(resources.claim, 'prod', 'data'));
  expect(asked[0]?.headers['user-agent']).toBe(userAgent);
});
