import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { functions } from '../../../../cli/dead-letters/known-functions.ts';
import type { Cluster } from '../../../../lib/kubernetes/cluster.ts';
import { ClusterError } from '../../../../lib/kubernetes/errors.ts';
import type { ClusterObject } from '../../../../lib/kubernetes/objects.ts';
import { nameOf, resourceOfKind, resources } from '../../../../lib/kubernetes/resources.ts';
import { buildMessage } from '../../../../lib/queue/message.ts';
import { messageVersion } from '../../../../lib/queue/unusable-message.ts';
import { reconcile } from '../../../../lib/reconcile/reconcile.ts';
import type { DeadLetter } from '../../../../lib/recovery/dead-letters/dead-letter.ts';
import { diagnose } from '../../../../lib/recovery/dead-letters/diagnose.ts';
import { ForeseenBuckets } from '../../../../lib/recovery/dead-letters/foreseen-buckets.ts';
import { readOnly } from '../../../../lib/recovery/dead-letters/read-only-cluster.ts';
import { FakeCluster } from '../../../simulation/fake-cluster.ts';
import { approval, claim, request, volume } from '../../../support/builders.ts';
import { linkedClaim } from '../../../support/builders-of-snapshots.ts';
import { creating, deleting, made } from '../../capabilities/buckets/steps/request-bucket/samples.ts';
import { deadLetter } from './fake-dead-letter-queue.ts';

const now = () => new Date('2026-11-19T04:00:00Z');

function context(cluster: Cluster | Error, served?: readonly string[]) {
  const open = async () => {
    if (cluster instanceof Error) throw cluster;
    return cluster;
  };
  return { functions, cluster: open, servedClusters: served, foreseen: new ForeseenBuckets(), now };
}

async function clusterWith(...objects: ClusterObject[]): Promise<FakeCluster> {
  const cluster = new FakeCluster(now);
  cluster.namespaces.add('prod', 'stage', 'test', 'team-a');
  for (const object of objects) {
    const { apiVersion, kind, metadata } = object;
    const resource = resourceOfKind(apiVersion, kind) ?? resources.claim;
    await cluster.create(nameOf(resource, metadata.namespace, metadata.name), object);
  }
  return cluster;
}

function deadLetterAbout(name: string, { apiVersion, kind, metadata }: ClusterObject, cluster = 'main'): DeadLetter {
  const resource = resourceOfKind(apiVersion, kind) ?? resources.claim;
  const key = { ...(metadata.namespace ? { namespace: metadata.namespace } : {}), name: metadata.name };
  const cause = { uid: 'uid', resourceVersion: '1', type: 'update' as const };
  const { body } = buildMessage({ cluster, function: name, resource, key, cause, time: now() });
  return deadLetter('1', { function: name, body });
}

const bucket: ClusterObject & { spec: object } = {
  apiVersion: resources.bucket.apiVersion,
  kind: 'Bucket',
  metadata: { namespace: 'stage', name: 'photos' },
  spec: { bucketClassName: 'lost', secretName: 'keys' },
};
const content: ClusterObject = {
  apiVersion: resources.bucketContent.apiVersion,
  kind: 'BucketContent',
  metadata: { name: 'content-1' },
};
const registration: ClusterObject = {
  apiVersion: resources.registration.apiVersion,
  kind: 'COSIRegistration',
  metadata: { name: 's3.longshore.dev' },
};
const offered = claim({ metadata: { annotations: { transferRequest: 'stage/copy' } } });

describe.each<[string, ClusterObject, ClusterObject[], string]>([
  ['match-transfer', request(), [], 'StorageTransferRequest stage/move'],
  ['match-approval', approval(), [], 'StorageTransferApproval prod/allow'],
  ['match-claim', offered, [volume()], 'PersistentVolume'],
  ['bind-bucket', bucket, [], 'Bucket stage/photos'],
  ['populate-claim', linkedClaim(), [], 'PersistentVolumeClaim test/copy'],
])('a letter of %s', (name, object, others, written) => {
  test('is open while its function would do something, and done when that is done; judging changes nothing', async () => {
    const cluster = await clusterWith(object, ...others);
    const before = cluster.changes.length;
    const open = await diagnose(deadLetterAbout(name, object), context(cluster));
    expect([open.state, open.detail]).toEqual(['open', expect.stringContaining(written)]);
    expect(cluster.changes.length).toBe(before);
    const known = functions[name];
    if (!known || !('step' in known)) throw new Error(`${name} has no step`);
    const { namespace = '', name: objectName } = object.metadata;
    await reconcile(known.step, cluster, { namespace, name: objectName }, { now });
    const rested = cluster.changes.length;
    const done = await diagnose(deadLetterAbout(name, object), context(cluster));
    expect([done.state, cluster.changes.length]).toEqual(['done', rested]);
  });

  test('is gone with its object', async () => {
    const diagnosis = await diagnose(deadLetterAbout(name, object), context(await clusterWith()));
    expect(diagnosis).toMatchObject({ state: 'gone', objectStatus: 'not there' });
  });
});

test('a step that is asked could not write, whatever it did', async () => {
  const cluster = await clusterWith(request());
  const name = nameOf(resources.transferRequest, 'stage', 'move');
  const looked = readOnly(cluster);
  const before = cluster.changes.length;
  const preconditions = { uid: 'uid', resourceVersion: '1' };
  expect(await looked.get(name)).toBeDefined();
  for (const write of [
    looked.create(name, request()),
    looked.patch(name, {}, { preconditions }),
    looked.delete(name, preconditions),
  ]) {
    await expect(write).rejects.toThrow('this command only reads from the cluster');
  }
  expect(cluster.changes.length).toBe(before);
});

test('every function that works on messages is known, by its own step', async () => {
  const folder = new URL('../../../../lib/capabilities', import.meta.url);
  const withStep = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => basename(path) === 'step.ts')
    .map((path) => basename(dirname(path)));
  expect(Object.keys(functions).sort()).toEqual(withStep.sort());
  for (const [name, known] of Object.entries(functions)) {
    if ('step' in known) expect(known.step.name).toBe(name);
    if ('deployedStep' in known) expect(known.deployedStep.name).toBe(name);
  }
});

test('what the deployment alone could judge is unknown, unless its object says that nothing is left', async () => {
  const there = await clusterWith(content, registration);
  const none = await clusterWith();
  const state = async (...given: Parameters<typeof diagnose>) => (await diagnose(...given)).state;
  expect(await state(deadLetterAbout('provision-bucket', content), context(there))).toBe('unknown');
  expect(await state(deadLetterAbout('provision-bucket', content), context(none))).toBe('gone');
  expect(await state(deadLetterAbout('register-driver', registration), context(there))).toBe('unknown');
  // A registration that is not there may be what is to be made.
  expect(await state(deadLetterAbout('register-driver', registration), context(none))).toBe('unknown');
});

test.each<[string, string, string, string]>([
  ['no JSON', 'no JSON', 'malformed', 'it is not JSON'],
  ['another event', '{"specversion":"0.3"}', 'malformed', 'it is not a CloudEvent'],
  ['another kind', deadLetterAbout('match-transfer', claim()).body, 'malformed', 'match-transfer reconciles'],
  [
    'a later release',
    deadLetterAbout('match-transfer', request()).body.replace(
      '"messageversion":1',
      `"messageversion":${messageVersion + 1}`,
    ),
    'later',
    'deploy the later release again',
  ],
])('%s is recognised', async (_, body, state, detail) => {
  const diagnosis = await diagnose(deadLetter('1', { body }), context(new Error('never asked')));
  expect(diagnosis).toEqual({ state, detail: expect.stringContaining(detail) });
});

test('a letter of a function that this release does not know is not taken for anything', async () => {
  const diagnosis = await diagnose(deadLetter('1', { function: 'fly' }), context(new Error('never asked')));
  expect(diagnosis).toEqual({ state: 'unknown', detail: 'this release of the command does not know fly' });
});

test('a cluster that the deployment does not serve is told apart from one that cannot be reached', async () => {
  const cluster = new ClusterError('unreachable', 'no route');
  const there = deadLetterAbout('match-transfer', request());
  const elsewhere = deadLetterAbout('match-transfer', request(), 'elsewhere');
  expect(await diagnose(elsewhere, context(cluster, ['main']))).toMatchObject({ state: 'unknown-cluster' });
  expect(await diagnose(there, context(cluster, ['main']))).toEqual({ state: 'unknown', detail: 'no route' });
  expect(await diagnose(elsewhere, context(cluster))).toMatchObject({ state: 'unknown' });
});

test('what the operator may not read is said to be so, and not taken for gone', async () => {
  const cluster = await clusterWith(request());
  cluster.get = () => Promise.reject(new ClusterError('denied', 'forbidden: User "eve"'));
  const diagnosis = await diagnose(deadLetterAbout('match-transfer', request()), context(cluster));
  expect(diagnosis).toEqual({ state: 'unknown', detail: expect.stringContaining('you may not read') });
});

describe('a request', () => {
  const ofRequest = (body: string) => deadLetter('1', { function: 'request-bucket', body });

  test('is open while its Bucket is to be made, and done when it is there', async () => {
    const cluster = await clusterWith();
    const open = await diagnose(ofRequest(creating()), context(cluster));
    expect(open.detail).toBe('it would create Bucket team-a/reports, if the configuration allows it');
    const known = functions['request-bucket'];
    if (!known || !('stepFor' in known)) throw new Error('it has no steps');
    const wish = { ...JSON.parse(creating()).detail, sender: senderOf(creating()) };
    const spec = { bucketClassName: 'fast', secretName: 'reports-credentials' };
    const key = { namespace: 'team-a', name: 'reports' };
    await reconcile(known.stepFor({ ...wish, spec }), cluster, key, { now });
    expect((await diagnose(ofRequest(creating()), context(cluster))).state).toBe('done');
  });

  test('that would be refused again is failing', async () => {
    const cluster = await clusterWith({ ...bucket, metadata: { namespace: 'team-a', name: 'reports' } });
    const diagnosis = await diagnose(ofRequest(creating()), context(cluster));
    expect(diagnosis).toMatchObject({ state: 'failing', detail: expect.stringMatching(/^Conflict: /) });
  });

  test('to delete what is not there is done', async () => {
    expect((await diagnose(ofRequest(deleting()), context(await clusterWith()))).state).toBe('done');
  });

  test('that can only be refused is malformed', async () => {
    const diagnosis = await diagnose(ofRequest(creating({ nmae: 'reports' })), context(new Error('never asked')));
    expect(diagnosis).toEqual({ state: 'malformed', detail: expect.stringContaining('nmae') });
  });

  test('by somebody who made a bucket in S3 is for the deployment to judge', async () => {
    expect((await diagnose(ofRequest(made('data-1')), context(new Error('never asked')))).state).toBe('unknown');
  });
});

function senderOf(body: string) {
  const { source, account, id, time } = JSON.parse(body);
  return { source, account, id, time: new Date(time).toISOString() };
}
