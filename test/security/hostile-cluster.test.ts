import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { readFor } from '../../lib/capabilities/buckets/steps/provision-bucket/read.ts';
import type { Cluster } from '../../lib/kubernetes/cluster.ts';
import { Clusters } from '../../lib/kubernetes/clusters.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import { ClusterError } from '../../lib/kubernetes/errors.ts';
import { nameOf, resources } from '../../lib/kubernetes/resources.ts';
import { RestCluster } from '../../lib/kubernetes/rest-cluster.ts';
import { buildMessage } from '../../lib/queue/message.ts';
import type { Runtime } from '../../lib/reconcile/handler-runtime.ts';
import { createHandler } from '../../lib/reconcile/serve.ts';
import { selfSignedCertificate } from '../../tools/control-plane/certificate.ts';
import * as stage from '../lib/capabilities/buckets/bucket-stages.ts';
import { withBucket } from '../lib/capabilities/buckets/drivers/case-access.ts';
import { bucket, granting, region } from '../lib/capabilities/buckets/drivers/requests.ts';
import { countTo, FakeCluster, key, now } from '../lib/reconcile/fake-step.ts';

/** One of the clusters of a deployment is in the hands of somebody else, who wants to harm the others. */

const certificate = selfSignedCertificate();
const servers: Server[] = [];
const seen: Record<string, string[]> = {};
let folder = '';

/** An API server of that name, which answers whatever it is asked in this way. */
async function serve(name: string, answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(certificate, answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const authority = Buffer.from(certificate.cert).toString('base64');
  const kubeconfig = {
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster: { server: address, 'certificate-authority-data': authority } }],
    users: [{ name, user: { token: `token-of-${name}` } }],
  };
  await writeFile(join(folder, name), JSON.stringify(kubeconfig));
  return address;
}

const remember = (name: string): Parameters<typeof createServer>[1] => {
  return ({ headers }, outgoing) => {
    seen[name] = [...(seen[name] ?? []), String(headers.authorization)];
    outgoing.writeHead(200).end('{}');
  };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-security-'));
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await rm(folder, { recursive: true, force: true });
});

const claimName = nameOf(resources.claim, 'prod', 'data');

test('a cluster is shown the credentials for itself, and never those for another', async () => {
  await serve('main', remember('main'));
  await serve('theirs', remember('theirs'));
  const access = (name: string) => ({ type: 'kubeconfig' as const, from: `file:${join(folder, name)}` });
  const clusters = new Clusters(['main', 'theirs'].map((name) => ({ name, access: access(name) })));
  for (const name of ['theirs', 'main', 'theirs']) {
    const { cluster, connection } = await clusters.get(name);
    await cluster.get(claimName);
    connection.close();
  }
  expect(seen).toEqual({
    main: ['Bearer token-of-main'],
    theirs: ['Bearer token-of-theirs', 'Bearer token-of-theirs'],
  });
});

test('an answer without an end is given up before it takes the memory of all', async () => {
  const endless = Buffer.alloc(1024 * 1024, '[');
  const server = await serve('endless', async (_, outgoing) => {
    outgoing.writeHead(200);
    while (!outgoing.destroyed) {
      outgoing.write(endless);
      await pause(0);
    }
  });
  const connection = new Connection({ server, certificateAuthority: certificate.cert });
  const asking = connection.send({ method: 'GET', path: '/api/v1/persistentvolumes' });
  await expect(asking).rejects.toMatchObject({ class: 'oversized', message: expect.stringContaining('more than') });
  connection.close();
});

test('a list that always goes on is given up before it takes the memory of all', async () => {
  const body = JSON.stringify({ metadata: { continue: 'more' }, items: ['x'.repeat(2 * 1024 * 1024)] });
  const server = await serve('going-on', (_, outgoing) => void outgoing.writeHead(200).end(body));
  const connection = new Connection({ server, certificateAuthority: certificate.cert });
  const listing = new RestCluster('going-on', connection).list(resources.volume, undefined);
  await expect(listing).rejects.toMatchObject({ class: 'oversized', message: expect.stringContaining('more than') });
  connection.close();
});

test('an answer that leads elsewhere is not followed', async () => {
  const elsewhere = await serve('elsewhere', remember('elsewhere'));
  const server = await serve('leading', (_, outgoing) => {
    outgoing.writeHead(307, { location: `${elsewhere}/api/v1/secrets` }).end();
  });
  const connection = new Connection({ server, certificateAuthority: certificate.cert });
  expect((await connection.send({ method: 'GET', path: '/api/v1/pods' })).status).toBe(307);
  expect(seen.elsewhere).toBeUndefined();
  connection.close();
});

test('a cluster that lets everybody wait does not keep the messages of others from being answered for', async () => {
  const never: Cluster = Object.assign(new FakeCluster(), { get: () => new Promise<never>(() => {}) });
  const good = new FakeCluster();
  const runtime: Runtime = {
    cluster: async (name) => (name === 'theirs' ? never : good),
    forgetCredentials: () => {},
    postpone: async () => {},
    maxReceives: 8,
    log: { info: () => {}, error: () => {}, measure: () => {} },
    now,
  };
  const Records = ['theirs', 'main'].map((cluster) => {
    const cause = { uid: 'u', resourceVersion: '1', type: 'add' as const };
    const { body } = buildMessage({ cluster, function: 'count', resource: resources.claim, key, cause, time: now() });
    const attributes = { MessageGroupId: cluster, ApproximateReceiveCount: '1' };
    return { messageId: cluster, receiptHandle: cluster, body, attributes };
  });
  const invocation = { getRemainingTimeInMillis: () => 3_100 };
  const answer = await createHandler(countTo(1), runtime)({ Records } as unknown as SQSEvent, invocation);
  expect(answer.batchItemFailures).toEqual([{ itemIdentifier: 'theirs' }]);
  expect(good.calls).toHaveLength(1);
});

test('what an answer makes impossible to name is not asked for, and nothing that was asked for is left behind', async () => {
  const failing = { get: async (object: { resource: { kind: string } }) => answerOf(object.resource.kind) };
  const odd = { ...stage.content(), metadata: { ...stage.content().metadata, uid: 7 } };
  const answerOf = (kind: string) => {
    if (kind === 'BucketContent') return odd;
    throw new ClusterError('denied', 'no');
  };
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', note);
  const { driver } = await withBucket();
  const ours = { drivers: new Map([[stage.driver, driver]]), identity: 'main', worker: 'worker' };
  await expect(readFor(ours)(failing as unknown as Cluster, { name: stage.contentName })).rejects.toThrow();
  await pause(0);
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

describe('a cluster in whose objects anything may stand', () => {
  test('is given no access to a bucket that was made for another cluster', async () => {
    const { driver, store } = await withBucket();
    const owner = '11111111-2222-3333-4444-555555555555';
    const outcome = await driver.grantBucketAccess(granting({ flow: 'Brownfield', cluster: 'theirs', owner }));
    expect(outcome).toMatchObject({ result: 'taken', message: expect.stringContaining('of the cluster main') });
    expect(store.users).toEqual([]);
  });

  test('is given access to it when whoever made it has taken its cluster off it', async () => {
    const { driver, store } = await withBucket();
    for (const made of store.buckets) made.tags = made.tags.filter(({ Key }) => Key !== 'longshore.dev/cluster');
    const outcome = await driver.grantBucketAccess(granting({ flow: 'Brownfield', cluster: 'theirs' }));
    expect(outcome).toMatchObject({ result: 'granted' });
  });

  test.each(['companybackups', 'company-backups', 'panyback'])(
    'does not own the bucket companybackups by calling its owner %s',
    async (owner) => {
      const { driver, store } = await withBucket();
      const request = { ...granting({ bucket: 'companybackups', owner, cluster: 'theirs' }), parameters: { region } };
      store.addBucket('companybackups');
      expect((await driver.createBucket(request)).result).not.toBe('created');
      expect((await driver.deleteBucket(request)).result).not.toBe('deleted');
      expect(store.buckets.map(({ name }) => name)).toEqual([bucket, 'companybackups']);
      expect(store.bucket('companybackups')?.tags).toEqual([]);
    },
  );
});
