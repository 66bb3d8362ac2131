import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildApp } from 'fauxqs';
import type { ClusterApi } from '../../cli/connect/cluster-api.ts';
import type { BucketClass } from '../../lib/capabilities/buckets/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { provisionedClass, snapshotClass } from '../../tools/csi-stand-in/objects.ts';
import { type CsiStandIn, startCsiStandIn } from '../../tools/csi-stand-in/stand-in.ts';
import { until } from '../support/patience.ts';
import { makeSharedKeys } from './case-buckets.ts';
import { type Call, people } from './case-commands.ts';
import { ownControlPlane } from './case-control-plane.ts';
import { serveGrants } from './case-grants.ts';
import { administratorsApi, everythingIn } from './case-install.ts';
import { RunProcess } from './case-run-processes.ts';

const plane = ownControlPlane();
const persons = people(plane.client, plane.kubeconfig);
const driver = 'csi.example.com';
const store = buildApp({ logger: false });
let standIn: CsiStandIn;
let longshore: RunProcess;
let admin: { api: ClusterApi; close: () => void };
let before: string[] = [];

beforeAll(async () => {
  const client = plane.client();
  const [endpoint] = await Promise.all([
    store.listen({ port: 0, host: '127.0.0.1' }),
    // As install defines it.
    serveGrants(client, 'v1beta1'),
    startCsiStandIn(plane.kubeconfig(), { drivers: [{ name: driver }], retryMs: 100 }).then((started) => {
      standIn = started;
    }),
  ]);
  await client.create(provisionedClass({ name: 'standard', driver }));
  await client.create(provisionedClass({ name: 'waiting', driver, binding: 'WaitForFirstConsumer' }));
  await client.create(snapshotClass({ name: 'daily', driver }));
  const drivers = [{ name: 'store.example.com', type: 'shared-keys', region: 'eu-central-1', endpoint }];
  const given = ['--kubeconfig', plane.kubeconfig(), '--drivers', JSON.stringify(drivers), '--lease-seconds', '5'];
  longshore = await RunProcess.start([...given, '--cluster', 'main']);
  await longshore.until('/readyz', ({ text }) => text === 'main: forwarding\n');
  const { apiVersion, kind } = resources.bucketClass;
  const bucketClass: Partial<BucketClass> = {
    provisioner: 'store.example.com',
    releasePolicy: 'Delete',
    parameters: await makeSharedKeys(client),
  };
  await client.create({ apiVersion, kind, metadata: { name: 'objects' }, ...bucketClass } as BucketClass);
  admin = await administratorsApi(plane.kubeconfig());
  await expectSettled();
});
afterAll(async () => {
  if (longshore?.isRunning) await longshore.end('SIGTERM');
  await standIn?.stop();
  await store.close();
  admin?.close();
});

/** The namespaces get their objects, and the drivers are registered, when they are. */
async function expectSettled(): Promise<void> {
  const registration = { ...resources.registration, metadata: { name: 'store.example.com' } };
  await plane.client().until(registration as never);
  before = await everythingIn(admin.api);
}

/** The garbage collector deletes it with its BucketContent, and learns of new kinds only each half minute. */
const isGarbage = (name: string) => name.startsWith('/api/v1/secrets/longshore-system/bucket-');

/** The copies of snapshots go a moment after the claims. */
async function expectNothingLeft(): Promise<void> {
  let left: string[] = [];
  const look = async () => {
    left = (await everythingIn(admin.api)).filter((name) => !before.includes(name) && !isGarbage(name));
    return left.length === 0;
  };
  await until('nothing is left of the demo', look, { pollMs: 200, limitMs: 60_000, found: () => left.join('\n') });
}

const demo = (...more: string[]): Call => persons.call(plane.kubeconfig(), 'demo', '--storage-class', ...more);

test('everything is shown as the lines that a user would type, and nothing of it is left', async () => {
  const call = demo('standard', '-o', 'json');
  expect([await call.code(), call.err]).toEqual([
    0,
    expect.stringContaining('Everything that the demo has created is gone'),
  ]);
  const lines = [
    'move pvc/data',
    'approve streq/',
    'offer pvc/data',
    'accept pvc/data',
    'restore nightly',
    'bucket create',
  ];
  expect(lines.filter((line) => !call.err.includes(`s] $ longshore ${line}`))).toEqual([]);
  const { parts, volume, left } = JSON.parse(call.out);
  const done = ['move', 'hand-over', 'snapshot', 'bucket'].map((part) => ({ part, result: 'done' }));
  expect(parts).toMatchObject(done);
  // Of the claim in all three places.
  expect(call.err.split(`  uid:    ${volume.uid}`)).toHaveLength(4);
  expect(left).toEqual([]);
  await expectNothingLeft();
});

test('one is interrupted and leaves nothing; one is kept, with a class that waits for a pod, until it is cleaned up', async () => {
  const kept = demo('waiting', '--node', 'node-1', '--bucket-class', 'gone', '--keep');
  const interrupted = demo('standard');
  await until('the transfer has begun', () => interrupted.out.includes('$ longshore approve'), { pollMs: 5 });
  interrupted.interrupt();
  expect([await interrupted.code(), interrupted.out]).toEqual([130, expect.stringContaining('is gone')]);

  expect([await kept.code(), kept.out]).toEqual([0, expect.stringContaining('Everything stays.')]);
  expect(kept.out).toContain('left out: there is no BucketClass gone');
  expect(kept.out).toContain('copy has the data of the snapshot');
  const id = /^Demo (\w+),/m.exec(kept.out)?.[1] ?? '';
  expect(kept.out).toContain(`longshore demo --cleanup ${id}`);
  const another = persons.call(plane.kubeconfig(), 'demo', '--cleanup', 'another', '--yes');
  expect([await another.code(), another.out]).toEqual([0, 'Demo another has left nothing.\n']);
  const unsure = persons.call(plane.kubeconfig(), 'demo', '--cleanup');
  expect([await unsure.code(), unsure.err]).toEqual([1, expect.stringContaining('Nothing was removed')]);
  const removed = persons.call(plane.kubeconfig(), 'demo', '--cleanup', id, '--yes');
  expect([await removed.code(), removed.out]).toEqual([0, expect.stringContaining('is gone')]);
  await expectNothingLeft();
});

test('what is lacking is said before anything is created', async () => {
  const person = await persons.in('default');
  before = await everythingIn(admin.api);
  const call = persons.call(person, 'demo');
  expect([await call.code(), call.err]).toEqual([1, expect.stringContaining('Nothing was created')]);
  expect(call.out).toMatch(/✗ permissions +you may not get, list, create, delete namespaces/);
  const after = await everythingIn(admin.api);
  expect(after.filter((name) => !before.includes(name))).toEqual([]);
});
