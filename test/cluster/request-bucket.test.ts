import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import type { Bucket, BucketClass } from '../../lib/capabilities/buckets/objects.ts';
import type { BucketRequests } from '../../lib/capabilities/buckets/requests/permissions.ts';
import { createRequestHandler } from '../../lib/capabilities/buckets/steps/request-bucket/requests.ts';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import { nameOf, resources } from '../../lib/kubernetes/resources.ts';
import { RestCluster } from '../../lib/kubernetes/rest-cluster.ts';
import { functionKubeconfig } from '../../tools/control-plane/manifests.ts';
import { testClient, testKubeconfig } from './administrator.ts';

const client = testClient();
const suffix = randomBytes(4).toString('hex');
const namespace = `team-${suffix}`;
const { apiVersion, kind } = resources.bucket;
const hold = 'example.com/hold';
const settings: BucketRequests = {
  permissions: {
    requests: ['team.one', 'team.two'].map((source) => {
      return { source, clusters: ['main'], namespaces: ['team-*'], classes: ['absent'] };
    }),
    adoptions: [{ buckets: ['data-*'], cluster: 'main', namespace, bucketClass: `existing-${suffix}` }],
  },
  deadLettersUrl: '',
  driverRole: undefined,
};

/** Known to the cluster as the function is: whatever it may not do fails here. */
let connection: Connection;
const reasons: string[] = [];
const errors: unknown[] = [];
let cluster: RestCluster;
beforeAll(async () => {
  await client.createNamespace(namespace);
  connection = new Connection(accessFromKubeconfig(await functionKubeconfig(testKubeconfig(), 'request-bucket')));
  cluster = new RestCluster('main', connection);
});
afterAll(() => connection.close());

/** Answers why each is refused, of those that are; and fails when anything is to come again. */
async function ask(...events: object[]): Promise<string[]> {
  reasons.length = 0;
  errors.length = 0;
  const handle = createRequestHandler(settings, {
    cluster: async () => cluster,
    forgetCredentials: () => {},
    postpone: async () => {},
    bury: async ({ reason }) => void reasons.push(reason),
    maxReceives: 8,
    log: { info: () => {}, error: (_, fields) => void errors.push(fields?.error), measure: () => {} },
    now: () => new Date(),
  });
  // Each in an invocation of its own, all at the same time.
  const answers = await Promise.all(events.map((event) => handle(batchOf(event))));
  expect([answers.flatMap(({ batchItemFailures }) => batchItemFailures), errors.filter(Boolean)]).toEqual([[], []]);
  return [...reasons];
}

function batchOf(event: object): SQSEvent {
  const attributes = { ApproximateReceiveCount: '1' };
  return { Records: [{ messageId: '1', body: JSON.stringify(event), attributes }] } as unknown as SQSEvent;
}

const sender = {
  id: 'event-1',
  source: 'team.one',
  account: '111122223333',
  time: '2026-11-18T14:55:00Z',
  'detail-type': 'Longshore Bucket Request',
};
const place = { cluster: 'main', namespace };

function creating(name: string, from: object = {}, detail: object = {}) {
  return { ...sender, ...from, detail: { action: 'create', ...place, name, bucketClassName: 'absent', ...detail } };
}

function deleting(name: string, from: object = {}) {
  return { ...sender, id: 'event-9', ...from, detail: { action: 'delete', ...place, name } };
}

function made(bucketName: string) {
  const call = { eventSource: 's3.amazonaws.com', eventName: 'CreateBucket', requestParameters: { bucketName } };
  return { ...sender, source: 'aws.s3', 'detail-type': 'AWS API Call via CloudTrail', detail: call };
}

function bucketOf(name: string): Bucket {
  const spec = { bucketClassName: 'absent', secretName: `${name}-credentials` };
  return { apiVersion, kind, metadata: { namespace, name }, spec };
}

describe('under the account of the function', () => {
  test('a Bucket is made once, however many events there are at a time, and is deleted by its source alone', async () => {
    const events = [creating('reports'), creating('reports'), creating('reports', { id: 'event-2' })];
    expect(await ask(...events)).toEqual([]);
    const { spec, metadata } = await client.until(bucketOf('reports'));
    expect(spec).toEqual(bucketOf('reports').spec);
    expect(metadata.annotations).toMatchObject({ 'longshore.dev/requested-by': 'team.one' });
    const [reason] = await ask(deleting('reports', { source: 'team.two' }));
    expect(reason).toMatch(
      /^Bucket .* was requested by team.one, not by team.two: its creator decides what happens to it$/,
    );
    expect(await ask(deleting('reports'), deleting('reports'))).toEqual([]);
    await client.untilGone(bucketOf('reports'));
  });

  test('of two sources that ask for one name at a time, one gets it and the other is told', async () => {
    const reasons = await ask(creating('contended'), creating('contended', { id: 'event-2', source: 'team.two' }));
    expect(reasons).toEqual([expect.stringContaining('was requested by team.')]);
  });

  test('a Bucket that a person made stays as it is', async () => {
    const before = await client.create(bucketOf('manual'));
    const because = `Bucket ${namespace}/manual was not created for an event`;
    expect(await ask(creating('manual'))).toEqual([`${because}: choose another name`]);
    expect(await ask(deleting('manual'))).toEqual([`${because}: its creator decides what happens to it`]);
    expect((await client.until(bucketOf('manual'))).metadata.uid).toBe(before.metadata.uid);
  });

  test('a name is free again when what had it is gone', async () => {
    const { metadata, ...rest } = bucketOf('held');
    const annotations = { 'longshore.dev/requested-by': 'team.one', 'longshore.dev/requested-from': sender.account };
    await client.create({ ...rest, metadata: { ...metadata, annotations, finalizers: [hold] } });
    expect(await ask(deleting('held'))).toEqual([]);
    expect(await ask(deleting('held'))).toEqual([]);
    expect(await ask(creating('held'))).toEqual([expect.stringContaining('is still being deleted')]);
    await client.change(bucketOf('held'), { metadata: { finalizers: null } });
    await client.untilGone(bucketOf('held'));
    expect(await ask(creating('held'))).toEqual([]);
    await client.until(bucketOf('held'));
  });

  test('what the API server refuses is told in its words', async () => {
    const lost = creating('reports', {}, { namespace: 'team-nowhere' });
    expect(await ask(lost)).toEqual(['the API server rejects the bucket: namespaces "team-nowhere" not found']);
  });

  test('a bucket that somebody made gets a class that the definitions of the kinds allow, and a Bucket', async () => {
    const model: BucketClass = {
      apiVersion,
      kind: resources.bucketClass.kind,
      metadata: { name: `existing-${suffix}` },
      provisioner: 'nobody.example.com',
      accessMode: 'ro',
      supportedProtocols: ['s3'],
      parameters: { region: 'eu-central-1' },
      releasePolicy: 'Delete',
    };
    expect(await ask(made('data-1'))).toEqual([expect.stringContaining('there is no BucketClass')]);
    await client.create(model);
    expect(await ask(made('data-1'), made('data-1'))).toEqual([]);
    const { metadata, spec } = await client.until(bucketOf('data-1'));
    expect(metadata.annotations).toMatchObject({ 'longshore.dev/requested-by': 'aws.s3' });
    const { metadata: _, ...fields } = model;
    expect(await client.get({ ...model, metadata: { name: spec.bucketClassName } })).toMatchObject({
      ...fields,
      bucketIdentifier: 'data-1',
      releasePolicy: 'Retain',
    });
  });

  test.each([
    ['change a Bucket', () => cluster.patch(nameOf(resources.bucket, namespace, 'manual'), {}, { preconditions })],
    ['delete a class', () => cluster.delete(nameOf(resources.bucketClass, undefined, 'absent'), preconditions)],
    ['read a Secret', () => cluster.get(nameOf(resources.secret, namespace, 'reports-credentials'))],
    ['list Buckets', () => cluster.list(resources.bucket, namespace)],
  ])('nobody can %s', async (_, act) => {
    await expect(act()).rejects.toMatchObject({ class: 'denied' });
  });
});

const preconditions = { uid: '', resourceVersion: '' };
