import { describe, expect, test } from '@jest/globals';
import * as binding from '../../../lib/capabilities/buckets/steps/bind-bucket/decide.ts';
import * as copying from '../../../lib/capabilities/buckets/steps/copy-secret/decide.ts';
import * as provisioning from '../../../lib/capabilities/buckets/steps/provision-bucket/decide.ts';
import { matchApproval } from '../../../lib/capabilities/transfers/steps/match-approval/step.ts';
import { matchTransfer } from '../../../lib/capabilities/transfers/steps/match-transfer/step.ts';
import type { TransferWorld } from '../../../lib/capabilities/transfers/world.ts';
import type { ClusterObject, Condition } from '../../../lib/kubernetes/objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { reconcile } from '../../../lib/reconcile/reconcile.ts';
import { FakeCluster, nameOfObject } from '../../simulation/fake-cluster.ts';
import { approval, claim, request, volume } from '../../support/builders.ts';
import { verdictOf } from '../../support/kstatus.ts';
import * as of from './buckets/bucket-stages.ts';
import { type Decide, settle as settleBucket } from './buckets/bucket-table.ts';
import { settle } from './table.ts';
import * as stage from './transfers/stages.ts';

/** What Flux, Argo CD and Helm make of each kind in each state, after the real steps have reported it. */
type Row = [state: string, object: ClusterObject | undefined, verdict: string, reason: string];

const failing = (decide: (world: TransferWorld, text: string, now: Date) => unknown) =>
  ((world: TransferWorld, now: Date) => decide(world, 'no answer', now)) as typeof matchTransfer.decide;
const byRequest = (world: TransferWorld, decide = matchTransfer.decide) => settle(decide, world).world;
const byApproval = (world: TransferWorld, decide = matchApproval.decide) => settle(decide, world).world;
const asked = stage.asked;
const withoutTarget = request({ spec: { targetName: '' } });
const strange = approval({ spec: { requestName: 'other' } });

const ofRequests: Row[] = [
  ['nobody has approved', byRequest({ ...asked, approval: undefined }).request, 'InProgress', 'ApprovalMissing'],
  ['the approval differs', byRequest({ ...asked, approval: strange }).request, 'InProgress', 'ApprovalDiffers'],
  ['there is no source', byRequest({ ...asked, source: undefined }).request, 'InProgress', 'SourceMissing'],
  ['it can never work', byRequest({ ...asked, request: withoutTarget }).request, 'Failed', 'Invalid'],
  ['it was given up', byRequest(asked, failing(matchTransfer.decideFailed)).request, 'Failed', 'Failed'],
  ['it is complete', byRequest(stage.done).request, 'Current', 'Complete'],
  ['it is being deleted', request({ metadata: { deletionTimestamp: 'now' } }), 'Terminating', ''],
];
const ofApprovals: Row[] = [
  ['nobody has requested', byApproval({ ...asked, request: undefined }).approval, 'InProgress', 'RequestMissing'],
  ['there is no source', byRequest({ ...asked, source: undefined }).approval, 'InProgress', 'SourceMissing'],
  ['it was given up', byApproval(asked, failing(matchApproval.decideFailed)).approval, 'Failed', 'Failed'],
  ['its transfer is complete', byRequest(stage.moved).approval, 'Current', 'Complete'],
];

const { asked: fresh, bucket, bucketClass, content, registration } = of;
const end = (decide: unknown, world: object) => settleBucket(decide as Decide<object>, world).world as never;
const bucketAfter = (world: object) => (end(binding.decide, world) as { bucket: ClusterObject }).bucket;
const copied = { bucket: bucket({ status: { phase: 'Pending', conditions: [of.copied] } }) };
const withContent = (status: object) => ({
  bucketClass: bucketClass(),
  content: content({ status }),
  bucket: bucket(),
});
const isBound = { ...copied, bucketClass: bucketClass(), content: of.ready({ status: { phase: 'Ready' } }) };
const boundBucket = bucketAfter(isBound);
const secretTaken = {
  content: of.ready(),
  source: of.source(of.data),
  target: of.target({}, { ownerReferences: [], annotations: {} }),
};
const ofBuckets: Row[] = [
  ['there is no class', bucketAfter({ bucket: fresh }), 'InProgress', 'ClassNotFound'],
  ['the driver works', bucketAfter({ bucket: bucket(), bucketClass: bucketClass() }), 'InProgress', 'Provisioning'],
  ['the store is down', bucketAfter(withContent({ phase: 'Retrying', message: 'down' })), 'InProgress', 'Retrying'],
  [
    'the driver has failed',
    bucketAfter(withContent({ phase: 'Failed', message: 'x' })),
    'Failed',
    'ProvisioningFailed',
  ],
  [
    'its class can never work',
    bucketAfter({ bucket: bucket(), bucketClass: bucketClass({ bucketIdentifier: 'archive' }) }),
    ...(['Failed', 'Invalid'] as const),
  ],
  [
    'another Secret has the name',
    (end(copying.decide, { bucket: boundBucket, ...secretTaken }) as { bucket: ClusterObject }).bucket,
    ...(['InProgress', 'SecretExists'] as const),
  ],
  ['it is bound', boundBucket, 'Current', 'Bound'],
  ['it is being deleted', bucket(of.deleting), 'Terminating', ''],
];

const store = { identity: 'deployment-1', worker: 'worker-1', cluster: 'main', problems: [], parameters: {} };
const contentAfter = (world: object) =>
  (
    end(provisioning.decide, { ...store, registration: registration(), bucket: bucket(), ...world }) as {
      content: ClusterObject;
    }
  ).content;
const touched = of.ready({ status: { phase: 'Bound', startedAt: of.startedAt } });
const ofContents: Row[] = [
  [
    'its driver is not registered',
    contentAfter({ content: content(), registration: undefined }),
    'InProgress',
    'DriverNotRegistered',
  ],
  ['its parameters can never work', contentAfter({ content: content(), problems: ['no'] }), 'Failed', 'Invalid'],
  [
    'its Secret is another one’s',
    contentAfter({ content: content(), secret: of.source({}, { ownerReferences: [] }) }),
    ...(['Failed', 'NameTaken'] as const),
  ],
  ['it is provisioned', of.ready(), 'Current', 'Provisioned'],
  ['its Bucket is lost', contentAfter({ content: touched, bucket: undefined }), 'InProgress', 'BucketLost'],
  [
    'it is static, and bound',
    content({ spec: { flow: 'Static' }, status: { phase: 'Bound' } }),
    'Current',
    'Provisioned',
  ],
  ['it is being deleted', content(of.deleting), 'Terminating', ''],
];

describe.each([
  ['a StorageTransferRequest', ofRequests],
  ['a StorageTransferApproval', ofApprovals],
  ['a Bucket', ofBuckets],
  ['a BucketContent', ofContents],
])('tools take %s', (_, rows) => {
  test.each(rows)('of which %s', (_state, object, verdict, reason) => {
    if (!object) throw new Error('it is not there');
    const said = verdictOf(object);
    expect(said.status).toBe(verdict);
    if (verdict === 'Terminating') return;
    const { conditions = [], observedGeneration } =
      (object as { status?: { conditions?: Condition[]; observedGeneration?: number } }).status ?? {};
    const ready = conditions.find(({ type }) => type === 'Ready');
    expect(ready?.reason).toBe(reason);
    expect(ready?.observedGeneration).toBe(1);
    expect(observedGeneration ?? 1).toBe(1);
    // People see with it what another condition says, word for word.
    const others = conditions.filter(({ type }) => type !== 'Ready' && type !== 'Stalled');
    if (others.length > 0) expect(others.map(({ message }) => message)).toContain(ready?.message);
    expect(conditions.some(({ type, status }) => type === 'Stalled' && status === 'True')).toBe(verdict === 'Failed');
  });
});

describe('in a cluster', () => {
  const now = () => stage.now;
  const made = async (...objects: ClusterObject[]) => {
    const cluster = new FakeCluster(now);
    cluster.namespaces.add('prod', 'stage');
    for (const object of objects) await cluster.create(nameOfObject(object), object);
    return cluster;
  };
  const { namespace = '', name } = request().metadata;

  test('nobody takes for ready what no step has seen, and the first report is one write', async () => {
    const cluster = await made(claim(), volume(), request());
    const key = nameOfObject(request());
    expect(verdictOf(cluster.read(key) as ClusterObject)).toMatchObject({ status: 'InProgress' });
    const writes = () => cluster.changes.filter(({ resource }) => resource === resources.transferRequest).length;
    const before = writes();
    for (const _ of [1, 2]) await reconcile(matchTransfer, cluster, { namespace, name }, { now });
    expect(writes()).toBe(before + 1);
  });

  test('an object that an earlier version has left complete gets it once, and with it no news', async () => {
    const cluster = await made(request());
    const { conditions } = request({ status: { complete: true } }).status ?? {};
    expect(conditions?.map(({ type }) => type)).toContain('Ready');
    const complete = {
      type: 'Complete',
      status: 'True',
      reason: 'Complete',
      message: 'done',
      lastTransitionTime: 'then',
    };
    cluster.update(
      nameOfObject(request()),
      { status: { complete: true, conditions: [complete] } },
      undefined,
      'status',
    );
    const before = cluster.changes.length;
    for (const _ of [1, 2]) await reconcile(matchTransfer, cluster, { namespace, name }, { now });
    expect(cluster.changes.slice(before).map(({ resource }) => resource.kind)).toEqual(['StorageTransferRequest']);
    const found = cluster.read(nameOfObject(request()));
    expect(found?.status?.conditions?.map(({ type, status, reason }) => [type, status, reason])).toEqual([
      ['Ready', 'True', 'Complete'],
      ['Complete', 'True', 'Complete'],
    ]);
  });
});
