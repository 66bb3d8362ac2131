import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { ScheduledEvent, SQSEvent } from 'aws-lambda';
import type { BucketClass } from '../../lib/capabilities/buckets/objects.ts';
import { createRequestHandler } from '../../lib/capabilities/buckets/steps/request-bucket/requests.ts';
import { checkSource } from '../../lib/capabilities/data-sources/steps/check-source/step.ts';
import { populateClaim } from '../../lib/capabilities/data-sources/steps/populate-claim/step.ts';
import { matchApproval } from '../../lib/capabilities/transfers/steps/match-approval/step.ts';
import { matchClaim } from '../../lib/capabilities/transfers/steps/match-claim/step.ts';
import { matchTransfer } from '../../lib/capabilities/transfers/steps/match-transfer/step.ts';
import { rebindVolume } from '../../lib/capabilities/transfers/steps/rebind-volume/step.ts';
import { UnknownCluster } from '../../lib/kubernetes/clusters.ts';
import type { Claim, ClusterObject } from '../../lib/kubernetes/objects.ts';
import { nameOf, resources } from '../../lib/kubernetes/resources.ts';
import type { Runtime } from '../../lib/reconcile/handler-runtime.ts';
import { createHandler } from '../../lib/reconcile/serve.ts';
import { FakeCluster, nameOfObject } from '../simulation/fake-cluster.ts';
import { FakeVolumeController } from '../simulation/fake-volume-controller.ts';
import { approval, claim, request, volume } from '../support/builders.ts';
import { addRestored, clusterWithSnapshot, grantToStage, leaveCopies, restoredName } from './snapshot-cluster.ts';

const folder = new URL('../../events/', import.meta.url);
const now = () => new Date('2026-11-18T14:55:10Z');
const requestName = nameOf(resources.transferRequest, 'stage', 'transfer-foo');
const targetName = nameOf(resources.claim, 'stage', 'bar');
const sourceName = nameOf(resources.claim, 'prod', 'foo');
const approvalName = nameOf(resources.transferApproval, 'prod', 'approve-foo');
const volumeName = nameOf(resources.volume, undefined, 'volume-foo');
const steps = [matchTransfer, matchApproval, matchClaim, rebindVolume, populateClaim, checkSource];
const claimStatus = 'pvc.kubernetes.io/transfer-status';

function sample<Event = SQSEvent>(name: string): Event {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
}

function bodyOf(name: string): string {
  return sample(name).Records[0]?.body ?? '';
}

/** The claim prod/foo on its volume. */
async function clusterOf(...more: ClusterObject[]): Promise<FakeCluster> {
  const cluster = new FakeCluster(now);
  cluster.namespaces.add('prod', 'stage');
  const shape = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'fast' };
  const objects = [
    volume({ metadata: { name: 'volume-foo' }, spec: { ...shape, claimRef: { namespace: 'prod', name: 'foo' } } }),
    claim({ metadata: { name: 'foo', finalizers: [] }, spec: { volumeName: 'volume-foo' } }),
    ...more,
  ];
  for (const object of objects) await cluster.create(nameOfObject(object), object);
  new FakeVolumeController(cluster).syncAll();
  return cluster;
}

/** With it the request that samples are about. */
function clusterWith(...more: ClusterObject[]): Promise<FakeCluster> {
  const source = { name: 'foo', kind: 'PersistentVolumeClaim' };
  const spec = { source: { ...source, namespace: 'prod' }, approvalName: 'approve-foo', targetName: 'bar' };
  return clusterOf(request({ metadata: { name: 'transfer-foo' }, spec }), ...more);
}

const agreed = approval({
  metadata: { name: 'approve-foo' },
  spec: { source: { name: 'foo', kind: 'PersistentVolumeClaim' }, requestName: 'transfer-foo' },
});

/** Feeds a sample through the handler of the function that its queue belongs to. */
async function handle(name: string, cluster: FakeCluster, clusterName = 'main') {
  const event = sample(name);
  const step = steps.find((each) => event.Records[0]?.eventSourceARN.endsWith(`-${each.name}.fifo`));
  if (!step) throw new Error(`no function has the queue of ${name}`);
  const errors: unknown[] = [];
  const answer = await createHandler(step, runtimeWith(cluster, errors, clusterName))(event);
  return { failed: answer.batchItemFailures.length, errors };
}

function runtimeWith(cluster: FakeCluster, errors: unknown[], clusterName = 'main'): Runtime {
  return {
    cluster: async (asked) => {
      if (asked !== clusterName) throw new UnknownCluster(`cluster "${asked}" is not configured`);
      return cluster;
    },
    forgetCredentials: () => {},
    postpone: async () => {},
    maxReceives: 8,
    log: { info: () => {}, error: (_, fields) => void errors.push(fields?.error ?? fields?.reason), measure: () => {} },
    now,
  };
}

function reasonOf(cluster: FakeCluster): string | undefined {
  return cluster.read(requestName)?.status?.conditions?.at(-1)?.reason;
}

test('every sample is used here', () => {
  const text = readFileSync(new URL(import.meta.url), 'utf8');
  expect(readdirSync(folder).filter((name) => !text.includes(`'${name}'`))).toEqual([]);
});

describe('a request that was created', () => {
  test('waits for its approval and says so', async () => {
    const cluster = await clusterWith();
    expect(await handle('sqs.request-created.json', cluster)).toEqual({ failed: 0, errors: [] });
    expect(reasonOf(cluster)).toBe('ApprovalMissing');
  });

  test('is taken up to the point of no return once it is approved, and to its end when the source is released', async () => {
    const cluster = await clusterWith(agreed);
    const controllers = new FakeVolumeController(cluster);
    expect(await handle('sqs.request-created.json', cluster)).toEqual({ failed: 0, errors: [] });
    expect(cluster.read(volumeName)?.spec.persistentVolumeReclaimPolicy).toBe('Retain');
    controllers.syncAll();
    expect(await handle('sqs.source-released.json', cluster)).toEqual({ failed: 0, errors: [] });
    controllers.syncAll();
    expect(cluster.read(targetName)?.status?.phase).toBe('Bound');
    expect(await handle('sqs.volume-listed.json', cluster)).toEqual({ failed: 0, errors: [] });
    expect(reasonOf(cluster)).toBe('Complete');
    expect(cluster.read(volumeName)?.spec.persistentVolumeReclaimPolicy).toBe('Delete');
  });

  test("may be told by Knative's source, which calls the cluster by the API server's address", async () => {
    const cluster = await clusterWith();
    const answer = await handle('sqs.knative-reference.json', cluster, 'https://10.96.0.1:443');
    expect(answer).toEqual({ failed: 0, errors: [] });
    expect(reasonOf(cluster)).toBe('ApprovalMissing');
  });
});

test('an approval that was created is told that its request is missing', async () => {
  const cluster = await clusterOf(agreed);
  expect(await handle('sqs.approval-created.json', cluster)).toEqual({ failed: 0, errors: [] });
  const { status } = cluster.read(approvalName) ?? {};
  expect(status?.conditions?.at(-1)?.reason).toBe('RequestMissing');
});

describe('a claim that is offered by its annotation', () => {
  const bare = claim({ metadata: { namespace: 'stage', name: 'bar', uid: 'uid-target', finalizers: [] } });
  const { volumeName: _, ...spec } = bare.spec;
  const metadata = { ...bare.metadata, annotations: { transferAccept: 'prod/foo' } };
  const accepting: Claim = { ...bare, metadata, spec, status: { phase: 'Pending' } };

  async function offered(): Promise<FakeCluster> {
    const cluster = await clusterOf();
    cluster.update(sourceName, { metadata: { annotations: { transferRequest: 'stage/bar' } } });
    return cluster;
  }

  test('is safe when its own message has been handled, and says so', async () => {
    const cluster = await offered();
    expect(await handle('sqs.claim-offered.json', cluster)).toEqual({ failed: 0, errors: [] });
    expect(cluster.read(volumeName)?.spec.persistentVolumeReclaimPolicy).toBe('Retain');
    expect(cluster.read(sourceName)?.metadata.annotations?.[claimStatus]).toBe('pending');
  });

  test('goes to the claim that accepts it when its owner has deleted it', async () => {
    const cluster = await offered();
    const controllers = new FakeVolumeController(cluster);
    await handle('sqs.claim-offered.json', cluster);
    await cluster.create(targetName, accepting);
    expect(await handle('sqs.claim-accepting.json', cluster)).toEqual({ failed: 0, errors: [] });
    expect(cluster.read(targetName)?.metadata.annotations?.[claimStatus]).toBe('pending');
    await cluster.delete(sourceName);
    controllers.syncAll();
    expect(await handle('sqs.offered-volume-listed.json', cluster)).toEqual({ failed: 0, errors: [] });
    controllers.syncAll();
    await handle('sqs.offered-volume-listed.json', cluster);
    expect(cluster.read(targetName)?.metadata.annotations?.[claimStatus]).toBe('complete');
    expect(cluster.read(sourceName)).toBeUndefined();
    expect(cluster.read(volumeName)?.spec.persistentVolumeReclaimPolicy).toBe('Delete');
  });

  test('is waited for by a claim that accepts it before, which is told so', async () => {
    const cluster = await clusterOf();
    await cluster.create(targetName, accepting);
    expect(await handle('sqs.claim-accepting.json', cluster)).toEqual({ failed: 0, errors: [] });
    expect(cluster.read(targetName)?.status?.conditions?.at(-1)?.reason).toBe('NotOffered');
  });
});

test.each(['sqs.source-released.json', 'sqs.volume-listed.json', 'sqs.offered-volume-listed.json'])(
  '%s about a volume that is part of no transfer changes nothing',
  async (name) => {
    const cluster = await clusterWith();
    const before = cluster.changes.length;
    expect(await handle(name, cluster)).toEqual({ failed: 0, errors: [] });
    expect(cluster.changes).toHaveLength(before);
  },
);

describe('a claim that waits for the data of a snapshot in another namespace', () => {
  const populatedOf = (cluster: FakeCluster) => cluster.read(restoredName)?.status?.conditions?.at(-1);

  test('is told that nobody has granted it', async () => {
    const cluster = await clusterWithSnapshot(now);
    expect(await handle('sqs.claim-by-link.json', cluster)).toEqual({ failed: 0, errors: [] });
    expect(populatedOf(cluster)).toMatchObject({ status: 'False', reason: 'NotGranted' });
    expect(cluster.all(resources.snapshotContent)).toHaveLength(1);
  });

  test('has a copy of it made as soon as that is granted', async () => {
    const cluster = await clusterWithSnapshot(now, grantToStage);
    expect(await handle('sqs.claim-by-link.json', cluster)).toEqual({ failed: 0, errors: [] });
    const [copy] = cluster.all(resources.snapshot, 'longshore-system');
    expect(copy?.metadata.name).toBe(`populate-${cluster.read(restoredName)?.metadata.uid}`);
    expect(cluster.all(resources.snapshotContent)).toHaveLength(2);
    // The snapshot controller has not looked at it yet.
    expect(cluster.all(resources.claim, 'longshore-system')).toEqual([]);
  });

  test('and has another uid than the one that copies are left over of does not keep those', async () => {
    const cluster = await clusterWithSnapshot(now);
    const [, uid = ''] = /"name":"populate-([0-9a-f-]+)"/.exec(bodyOf('sqs.copies-left-over.json')) ?? [];
    const copies = await leaveCopies(cluster, uid);
    expect(await handle('sqs.copies-left-over.json', cluster)).toEqual({ failed: 0, errors: [] });
    const found = copies.map((copy) => cluster.read(nameOfObject(copy)));
    // A claim is held by the cluster itself until no pod uses it.
    expect(found.filter((copy) => copy && copy.metadata.deletionTimestamp === undefined)).toEqual([]);
    expect(found.flatMap((copy) => copy?.metadata.finalizers ?? [])).toEqual(['kubernetes.io/pvc-protection']);
    expect(cluster.all(resources.snapshotContent)).toHaveLength(1);
  });
});

test('a claim that its provisioner has restored is told that its data is there', async () => {
  const cluster = await clusterWithSnapshot(now);
  await addRestored(cluster);
  expect(await handle('sqs.restored-claim-listed.json', cluster)).toEqual({ failed: 0, errors: [] });
  const { status } = cluster.read(nameOf(resources.claim, 'prod', 'again')) ?? {};
  expect(status?.conditions).toMatchObject([{ type: 'DataPopulated', status: 'True', reason: 'Restored' }]);
});

test('a malformed body is reported as failed, and nothing is written', async () => {
  const cluster = await clusterWith();
  const before = cluster.changes.length;
  const answer = await handle('sqs.malformed-body.json', cluster);
  expect(answer).toEqual({ failed: 1, errors: ['malformed message: it is not JSON'] });
  expect(cluster.changes).toHaveLength(before);
});

test('the schedule only says that it is time: the forwarder reads nothing in it', () => {
  expect(sample<ScheduledEvent>('eventbridge.schedule.json')).toMatchObject({ source: 'aws.events', detail: {} });
});

describe('what the cloud tells of buckets', () => {
  /** As the rule puts it on the queue: the event alone is the body. */
  async function handleEvent(name: string, cluster: FakeCluster) {
    const body = JSON.stringify(sample<object>(name));
    const record = { messageId: name, receiptHandle: name, body, attributes: { ApproximateReceiveCount: '1' } };
    const requests = [{ source: 'team.billing', clusters: ['main'], namespaces: ['team-*'], classes: ['standard'] }];
    const place = { cluster: 'main', namespace: 'team-data', bucketClass: 'existing' };
    const permissions = { requests, adoptions: [{ buckets: ['data-*'], ...place }] };
    const errors: unknown[] = [];
    const runtime = { ...runtimeWith(cluster, errors), bury: async () => {} };
    const settings = { permissions, deadLettersUrl: '', driverRole: 'arn:aws:iam::111122223333:role/driver' };
    const { batchItemFailures } = await createRequestHandler(
      settings,
      runtime,
    )({
      Records: [record],
    } as unknown as SQSEvent);
    return { failed: batchItemFailures.length, errors };
  }

  function clusterWithTeams(): FakeCluster {
    const cluster = new FakeCluster(now);
    cluster.namespaces.add('team-billing', 'team-data');
    return cluster;
  }

  test('a request for a Bucket makes it', async () => {
    const cluster = clusterWithTeams();
    expect(await handleEvent('eventbridge.bucket-request.json', cluster)).toEqual({ failed: 0, errors: [] });
    const bucket = cluster.read(nameOf(resources.bucket, 'team-billing', 'reports'));
    const spec = { bucketClassName: 'standard', bucketPrefix: 'reports-', secretName: 'reports-s3' };
    expect(bucket?.spec).toEqual(spec);
  });

  test('a bucket that somebody made is adopted', async () => {
    const cluster = clusterWithTeams();
    const { apiVersion, kind } = resources.bucketClass;
    const model: BucketClass = { apiVersion, kind, metadata: { name: 'existing' }, provisioner: 's3.longshore.dev' };
    await cluster.create(nameOf(resources.bucketClass, undefined, 'existing'), model);
    expect(await handleEvent('eventbridge.bucket-created.json', cluster)).toEqual({ failed: 0, errors: [] });
    const bucket = cluster.read(nameOf(resources.bucket, 'team-data', 'data-2026-eu'));
    const spec = { bucketClassName: 'existing-data-2026-eu', secretName: 'data-2026-eu-credentials' };
    expect(bucket?.spec).toEqual(spec);
  });
});
