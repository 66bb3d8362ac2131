import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Forwarder } from '../../lib/forwarder/forwarder.ts';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { type Call, Connection, type RawAnswer, type Stream } from '../../lib/kubernetes/connection.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { collectionPath, resources } from '../../lib/kubernetes/resources.ts';
import { Outbox } from '../../lib/queue/outbox.ts';
import type { Change } from '../../lib/reconcile/routing.ts';
import { realClock } from '../../lib/runtime/clock.ts';
import { serviceAccountKubeconfig } from '../../tools/control-plane/manifests.ts';
import { until as comesTrue } from '../support/patience.ts';
import { testClient, testKubeconfig } from './administrator.ts';

const client = testClient();
const suffix = randomBytes(4).toString('hex');
const namespace = `kinds-${suffix}`;
const { secret, configMap } = resources;
const madeUp: Resource = {
  apiVersion: `kinds-${suffix}.longshore.dev/v1`,
  mayBeLacking: true,
  metadataOnly: true,
  kind: 'MadeUp',
  plural: 'madeups',
  namespaced: true,
};

/** A connection that keeps what the server has answered, and what it was asked. */
class Overheard extends Connection {
  heard = '';
  readonly paths: string[] = [];

  override async open(call: Call, ...others: [number?, AbortSignal?]): Promise<Stream> {
    this.paths.push(call.path);
    const stream = await super.open(call, ...others);
    const { statusCode } = stream;
    return Object.assign(this.overhear(stream), { statusCode });
  }

  override async sendForBytes(call: Call, signal?: AbortSignal): Promise<RawAnswer> {
    this.paths.push(call.path);
    const answer = await super.sendForBytes(call, signal);
    this.heard += answer.body;
    return answer;
  }

  private async *overhear(stream: Stream): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      this.heard += chunk;
      yield chunk;
    }
  }
}

/** What has failed must not go on for ever. */
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Runs a forwarder of these kinds, which notes all changes and sends nothing. */
function running(kubeconfig: string, kinds: readonly Resource[]) {
  const connection = new Overheard(accessFromKubeconfig(kubeconfig));
  const changes: Change[] = [];
  const told: string[] = [];
  const tell = (message: string, fields: object = {}) => void told.push(`${message} ${JSON.stringify(fields)}`);
  const abort = new AbortController();
  const run = new Forwarder({
    cluster: 'test',
    api: connection,
    outbox: new Outbox({ send: async () => [], clock: realClock, onFailure: (error) => tell(String(error)) }),
    log: { info: tell, error: tell, measure: () => {} },
    clock: realClock,
    resources: kinds,
    createRouter: () => ({ note: (change) => void changes.push(change), routesOf: () => [] }),
  }).run(abort.signal);
  const stop = async () => {
    abort.abort();
    await run.catch(() => {});
    connection.close();
  };
  stops.push(stop);
  const listed = (times = 1) => until(() => told.filter((line) => line.startsWith('listed')).length >= times, run);
  const seen = (type: string, { kind }: Resource, name: string) =>
    until(() => changes.some(({ type: was, object }) => was === type && is(object, kind, name)), run);
  return { connection, changes, told, run, listed, seen, stop };
}

function is({ kind, metadata }: Change['object'], expected: string, name: string): boolean {
  return kind === expected && metadata.namespace === namespace && metadata.name === name;
}

async function until(condition: () => boolean, run: Promise<void>): Promise<void> {
  const failed = run.then(() => Promise.reject(new Error('the forwarder has ended')));
  await Promise.race([comesTrue('the forwarder has told of it', condition), failed]);
}

const object = ({ apiVersion, kind }: Resource, name: string, fields: object = {}) => ({
  ...{ apiVersion, kind, metadata: { namespace, name }, ...fields },
});
const secretValue = randomBytes(24).toString('base64');
const madeSecret = (name: string) => client.create(object(secret, name, { data: { password: secretValue } }));
const leftOut = (told: string[]) => told.filter((line) => line.startsWith('kind left out'));

/** An account that may list and watch ConfigMaps, and do so much with Secrets. */
async function accountWith(name: string, verbs: string[]): Promise<string> {
  const apiGroup = 'rbac.authorization.k8s.io';
  const common = { apiVersion: `${apiGroup}/v1`, metadata: { name: `${namespace}-${name}` } };
  const rules = [
    { apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] },
    ...(verbs.length > 0 ? [{ apiGroups: [''], resources: ['secrets'], verbs }] : []),
  ];
  const roleRef = { apiGroup, kind: 'ClusterRole', name: common.metadata.name };
  const subjects = [{ kind: 'ServiceAccount', namespace, name }];
  await client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name } });
  await client.create({ ...common, kind: 'ClusterRole', rules } as Parameters<typeof client.create>[0]);
  await client.create({ ...common, kind: 'ClusterRoleBinding', roleRef, subjects } as typeof common & { kind: string });
  const kubeconfig = await serviceAccountKubeconfig(testKubeconfig(), { namespace, name });
  // The authorizer takes up a role and its binding a moment after they are made, each as a whole.
  await untilStatus(kubeconfig, collectionPath(configMap), 200);
  return kubeconfig;
}

async function untilStatus(kubeconfig: string, path: string, expected: number): Promise<void> {
  const connection = new Connection(accessFromKubeconfig(kubeconfig));
  await comesTrue(
    `${path} is answered with ${expected}`,
    async () => (await connection.send({ method: 'GET', path })).status === expected,
  );
  connection.close();
}

let admin = '';
beforeAll(async () => {
  admin = await readFile(testKubeconfig(), 'utf8');
  await client.createNamespace(namespace);
});
afterAll(async () => {
  for (const name of ['blind', 'half-blind', 'needy']) {
    for (const kind of ['ClusterRole', 'ClusterRoleBinding']) {
      await client.delete({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind,
        metadata: { name: `${namespace}-${name}` },
      });
    }
  }
});

test('what is in a Secret never leaves the cluster', async () => {
  await madeSecret('before');
  const forwarder = running(admin, [secret]);
  await forwarder.seen('listed', secret, 'before');
  await madeSecret('after');
  await forwarder.seen('added', secret, 'after');
  await client.annotate(object(secret, 'after'), { note: 'changed' });
  await forwarder.seen('updated', secret, 'after');
  await client.delete(object(secret, 'after'));
  await forwarder.seen('deleted', secret, 'after');
  await forwarder.stop();
  const { heard } = forwarder.connection;
  expect(heard).toContain('"kind":"PartialObjectMetadataList"');
  expect(heard).toContain('{"type":"MODIFIED","object":{"kind":"PartialObjectMetadata"');
  expect(heard).not.toContain(secretValue);
  const [change] = forwarder.changes.filter(({ object: { metadata } }) => metadata.name === 'after');
  expect(change).toMatchObject({ resource: secret, object: object(secret, 'after') });
  expect(Object.keys(change?.object ?? {}).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
  expect(leftOut(forwarder.told)).toEqual([]);
});

test('a kind that the cluster lacks is left out, also when it goes away, and the others go on', async () => {
  const [group, version] = madeUp.apiVersion.split('/');
  const { kind, plural } = madeUp;
  const schema = { openAPIV3Schema: { type: 'object' } };
  const versions = [{ name: version, served: true, storage: true, schema }];
  const definition = {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names: { kind, plural, singular: 'madeup' }, versions },
  };
  const before = running(admin, [madeUp, configMap]);
  await before.listed();
  await client.create(object(configMap, 'lacking'));
  await before.seen('added', configMap, 'lacking');
  await before.stop();
  expect(leftOut(before.told)).toEqual([expect.stringContaining('the cluster does not serve it')]);

  await client.create(definition);
  await untilStatus(admin, collectionPath(madeUp), 200);
  const during = running(admin, [madeUp, configMap]);
  await during.listed();
  expect(during.connection.heard).toContain('"items":null');
  await client.delete(definition);
  await until(() => leftOut(during.told).length > 0, during.run);
  // What is made before the others are listed anew is found by that.
  await during.listed(2);
  await client.create(object(configMap, 'gone'));
  await during.seen('added', configMap, 'gone');
  await during.stop();
  expect(leftOut(during.told)).toEqual([expect.stringContaining('the cluster does not serve it')]);
});

test('the kinds of one version are looked up together', async () => {
  const { bucket, bucketContent, bucketClass, registration } = resources;
  const forwarder = running(admin, [bucketClass, bucketContent, bucket, registration]);
  await forwarder.listed();
  await forwarder.stop();
  expect(forwarder.connection.paths.filter((path) => path === `/apis/${bucket.apiVersion}`)).toHaveLength(1);
  expect(leftOut(forwarder.told)).toEqual([]);
});

test.each([
  ['list', 'blind', []],
  ['watch', 'half-blind', ['list']],
])('a kind that it may not %s is left out, and the others go on', async (verb, name, verbs) => {
  const forwarder = running(await accountWith(name, verbs), [secret, configMap]);
  await forwarder.listed();
  await until(() => leftOut(forwarder.told).length > 0, forwarder.run);
  await client.create(object(configMap, name));
  await forwarder.seen('added', configMap, name);
  await forwarder.stop();
  expect(leftOut(forwarder.told)).toEqual([expect.stringContaining(`cannot ${verb} resource`)]);
  expect(forwarder.told.filter((line) => line.includes('failed'))).toEqual([]);
});

test('a kind that it must see is not left out', async () => {
  const { mayBeDenied: _, ...needed } = secret;
  const { run, connection } = running(await accountWith('needy', []), [needed, configMap]);
  await expect(run).rejects.toMatchObject({ class: 'denied' });
  connection.close();
});
