import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createWebServer, type RequestListener, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListBucketsCommand } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { connectTo } from '../../lib/capabilities/buckets/drivers/s3/connect.ts';
import { clustersFor } from '../../lib/compose/serve.ts';
import { readSecret } from '../../lib/kubernetes/access/secret-store.ts';
import { Clusters } from '../../lib/kubernetes/clusters.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { buildMessage } from '../../lib/queue/message.ts';
import { createHandler } from '../../lib/reconcile/serve.ts';
import { MemoryBudget } from '../../lib/runtime/memory/budget.ts';
import { selfSignedCertificate } from '../../tools/control-plane/certificate.ts';
import { kubeconfigOf } from '../../tools/control-plane/kubeconfig.ts';
import { countTo, key, now } from '../lib/reconcile/fake-step.ts';

/** A process of Lambda may open 1,024 files. Servers that keep what is opened to them must not use those up for all others. */

const batchSize = 10;
const servers: Server[] = [];
const close = (server: Server) => {
  server.closeAllConnections();
  server.close();
};
afterEach(() => {
  for (const server of servers.splice(0)) close(server);
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  // It closes nothing of itself.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A closed connection is known to the other end a little later. */
async function openUntil(server: Server, isEnough: (open: number) => boolean): Promise<number> {
  for (let looked = 0; ; looked++) {
    const open = await new Promise<number>((resolve, reject) => {
      server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
    if (isEnough(open) || looked > 200) return open;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('an API server that always answers 401', () => {
  const certificate = selfSignedCertificate();
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longshore-sockets-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const refusing: RequestListener = (incoming, outgoing) => {
    incoming.resume();
    const status = { kind: 'Status', code: 401, message: 'no' };
    outgoing.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify(status));
  };

  async function clustersAt(server: Server): Promise<Clusters> {
    const address = `https://127.0.0.1:${await listening(server)}`;
    const certificateAuthority = certificate.cert;
    await writeFile(join(folder, 'theirs'), kubeconfigOf({ server: address, certificateAuthority, token: 'token' }));
    const access = { type: 'kubeconfig', from: `file:${join(folder, 'theirs')}` } as const;
    return new Clusters([{ name: 'theirs', access }], 'count', new MemoryBudget(512));
  }

  test('does not use up the sockets of the process by having credentials fetched anew', async () => {
    let refused = 0;
    const server = createServer(certificate, (...asked) => {
      refused += 1;
      refusing(...asked);
    });
    const clusters = await clustersAt(server);
    const handle = createHandler(countTo(0), {
      cluster: clustersFor(clusters),
      memory: new MemoryBudget(512),
      forgetCredentials: (name) => clusters.forget(name),
      postpone: async () => {},
      maxReceives: 8,
      log: { info: () => {}, error: () => {}, measure: () => {} },
      now,
    });
    const event = batchFor('theirs');
    for (let round = 0; round < 12; round++) await handle(event);
    expect(refused).toBeGreaterThanOrEqual(12 * batchSize);
    const open = await openUntil(server, (count) => count <= batchSize);
    expect(open).toBeLessThanOrEqual(batchSize);
    clusters.close();
    expect(await openUntil(server, (count) => count === 0)).toBe(0);
  });

  test('has no call of others broken off that is under way when its credentials are forgotten', async () => {
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const server = createServer(certificate, async (incoming, outgoing) => {
      asked.resolve();
      await go.promise;
      refusing(incoming, outgoing);
    });
    const clusters = await clustersAt(server);
    const { connection } = await clusters.get('theirs');
    const answering = connection.send({ method: 'GET', path: '/version' });
    await asked.promise;
    clusters.forget('theirs');
    await clusters.get('theirs');
    go.resolve();
    expect(await answering).toMatchObject({ status: 401 });
    expect(await openUntil(server, (count) => count === 0)).toBe(0);
  });
});

function batchFor(cluster: string): SQSEvent {
  const cause = { uid: 'u', resourceVersion: '1', type: 'add' as const };
  const message = { cluster, function: 'count', resource: resources.claim, key, cause, time: now() };
  const { body } = buildMessage(message);
  const Records = [...Array(batchSize).keys()].map((at) => {
    const attributes = { MessageGroupId: `group-${at}`, ApproximateReceiveCount: '1' };
    return { messageId: `message-${at}`, receiptHandle: 'handle', body, attributes };
  });
  return { Records } as unknown as SQSEvent;
}

describe('stores that keep connections open', () => {
  const refusal = '<Error><Code>AccessDenied</Code><Message>no</Message></Error>';
  const refusing: RequestListener = (incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(403, { 'content-type': 'application/xml' }).end(refusal);
  };
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
  const settingsFor = (region: string, endpoint: string) => {
    return { region, endpoint, iamEndpoint: endpoint, forcePathStyle: true, credentials };
  };

  test('do not use up the sockets of the process, whatever settings classes name', async () => {
    const server = createWebServer(refusing);
    const endpoint = `http://127.0.0.1:${await listening(server)}`;
    const connect = connectTo();
    for (let at = 0; at < 60; at++) {
      const { s3 } = connect(settingsFor(`region-${at}`, endpoint));
      await s3.send(new ListBucketsCommand({})).catch(() => undefined);
    }
    expect(await openUntil(server, (count) => count <= 20)).toBeLessThanOrEqual(20);
    connect.close();
    expect(await openUntil(server, (count) => count === 0)).toBe(0);
  });

  test('do not use them up by many calls at a time either', async () => {
    const server = createWebServer(refusing);
    const endpoint = `http://127.0.0.1:${await listening(server)}`;
    const { s3 } = connectTo()(settingsFor('eu-central-1', endpoint));
    const ask = () => s3.send(new ListBucketsCommand({})).catch(() => undefined);
    await Promise.all(Array.from({ length: 40 }, ask));
    expect(await openUntil(server, (count) => count <= 4)).toBeLessThanOrEqual(4);
  });

  test('have no request broken off that is under way when their clients are let go of', async () => {
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    let requests = 0;
    const server = createWebServer(async (incoming, outgoing) => {
      requests += 1;
      asked.resolve();
      await go.promise;
      refusing(incoming, outgoing);
    });
    const endpoint = `http://127.0.0.1:${await listening(server)}`;
    const connect = connectTo();
    const { s3 } = connect(settingsFor('eu-central-1', endpoint));
    const answering = s3.send(new ListBucketsCommand({})).catch(({ name }: Error) => name);
    await asked.promise;
    connect.close();
    go.resolve();
    expect(await answering).toBe('AccessDenied');
    expect(requests).toBe(1);
    // Whoever has them still may go on.
    expect(await s3.send(new ListBucketsCommand({})).catch(({ name }: Error) => name)).toBe('AccessDenied');
    expect(await openUntil(server, (count) => count === 0)).toBe(0);
  });
});

describe('a secret that is read again and again, as a cluster refuses us', () => {
  const given = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'none',
    AWS_SECRET_ACCESS_KEY: 'none',
  };
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });

  test.each([
    ['secretsmanager:kubeconfig', { SecretString: 'text' }],
    ['ssm:kubeconfig', { Parameter: { Value: 'text' } }],
  ])('leaves no connection open to where it is: %s', async (from, answer) => {
    const server = createWebServer((incoming, outgoing) => {
      incoming.resume();
      outgoing.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer));
    });
    Object.assign(process.env, given, { AWS_ENDPOINT_URL: `http://127.0.0.1:${await listening(server)}` });
    for (let round = 0; round < 5; round++) expect(await readSecret(from)).toBe('text');
    expect(await openUntil(server, (count) => count === 0)).toBe(0);
  });
});
