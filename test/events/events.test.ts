import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { ScheduledEvent, SQSEvent } from 'aws-lambda';
import { matchTransfer } from '../../functions/match-transfer/step.ts';
import { rebindVolume } from '../../functions/rebind-volume/step.ts';
import { UnknownCluster } from '../../lib/cluster/clusters.ts';
import type { Claim, ClusterObject, TransferRequest, Volume } from '../../lib/cluster/objects.ts';
import { nameOf, resources } from '../../lib/cluster/resources.ts';
import { createHandler } from '../../lib/reconcile/serve.ts';
import { FakeCluster, nameOfObject } from '../simulation/fake-cluster.ts';
import { FakeVolumeController } from '../simulation/fake-volume-controller.ts';
import { approval, claim, request, volume } from '../support/builders.ts';

const folder = new URL('../../events/', import.meta.url);
const now = () => new Date('2026-11-18T14:55:10Z');
const requestName = nameOf(resources.transferRequest, 'stage', 'transfer-foo');
const targetName = nameOf(resources.claim, 'stage', 'bar');
const volumeName = nameOf(resources.volume, undefined, 'volume-foo');

function sample<Event = SQSEvent>(name: string): Event {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
}

/** The claim prod/foo on its volume, and the request that the samples are about. */
async function clusterWith(...more: ClusterObject[]): Promise<FakeCluster> {
  const cluster = new FakeCluster(now);
  for (const namespace of ['prod', 'stage']) cluster.claimQuota.set(namespace, 10);
  const source = { name: 'foo', kind: 'PersistentVolumeClaim' };
  const spec = { source: { ...source, namespace: 'prod' }, approvalName: 'approve-foo', targetName: 'bar' };
  const objects = [
    volume({ metadata: { name: 'volume-foo' }, spec: { claimRef: { namespace: 'prod', name: 'foo' } } }),
    claim({ metadata: { name: 'foo', finalizers: [] }, spec: { volumeName: 'volume-foo' } }),
    request({ metadata: { name: 'transfer-foo' }, spec }),
    ...more,
  ];
  for (const object of objects) await cluster.create(nameOfObject(object), object);
  new FakeVolumeController(cluster).syncAll();
  return cluster;
}

const agreed = approval({
  metadata: { name: 'approve-foo' },
  spec: { source: { name: 'foo', kind: 'PersistentVolumeClaim' }, requestName: 'transfer-foo' },
});

/** Feeds a sample through the handler of the function that its queue belongs to. */
async function handle(name: string, cluster: FakeCluster, clusterName = 'main') {
  const event = sample(name);
  const step = event.Records[0]?.eventSourceARN.includes('rebind-volume') ? rebindVolume : matchTransfer;
  const errors: unknown[] = [];
  const answer = await createHandler(step, {
    cluster: async (asked) => {
      if (asked !== clusterName) throw new UnknownCluster(`cluster "${asked}" is not configured`);
      return cluster;
    },
    forgetCredentials: () => {},
    postpone: async () => {},
    maxReceives: 8,
    log: { info: () => {}, error: (_, fields) => void errors.push(fields?.error), measure: () => {} },
    now,
  })(event);
  return { failed: answer.batchItemFailures.length, errors };
}

function reasonOf(cluster: FakeCluster): string | undefined {
  return cluster.read<TransferRequest>(requestName)?.status?.conditions?.at(-1)?.reason;
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
    expect(cluster.read<Volume>(volumeName)?.spec.persistentVolumeReclaimPolicy).toBe('Retain');
    controllers.syncAll();
    expect(await handle('sqs.source-released.json', cluster)).toEqual({ failed: 0, errors: [] });
    controllers.syncAll();
    expect(cluster.read<Claim>(targetName)?.status?.phase).toBe('Bound');
    expect(await handle('sqs.volume-listed.json', cluster)).toEqual({ failed: 0, errors: [] });
    expect(reasonOf(cluster)).toBe('Complete');
    expect(cluster.read<Volume>(volumeName)?.spec.persistentVolumeReclaimPolicy).toBe('Delete');
  });

  test("may be told by Knative's source, which calls the cluster by the API server's address", async () => {
    const cluster = await clusterWith();
    const answer = await handle('sqs.knative-reference.json', cluster, 'https://10.96.0.1:443');
    expect(answer).toEqual({ failed: 0, errors: [] });
    expect(reasonOf(cluster)).toBe('ApprovalMissing');
  });
});

test.each(['sqs.source-released.json', 'sqs.volume-listed.json'])(
  '%s about a volume that is part of no transfer changes nothing',
  async (name) => {
    const cluster = await clusterWith();
    const before = cluster.changes.length;
    expect(await handle(name, cluster)).toEqual({ failed: 0, errors: [] });
    expect(cluster.changes).toHaveLength(before);
  },
);

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
