import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { bucketReasons } from '../../../lib/capabilities/buckets/reasons.ts';
import { stages, transferReasons } from '../../../lib/capabilities/transfers/reasons.ts';
import { matchTransfer } from '../../../lib/capabilities/transfers/steps/match-transfer/step.ts';
import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { reconcile } from '../../../lib/reconcile/reconcile.ts';
import { FakeCluster, nameOfObject } from '../../simulation/fake-cluster.ts';
import { approval, claim, request, volume } from '../../support/builders.ts';
import { verdictOf } from '../../support/kstatus.ts';
import { bucket, content } from './buckets/bucket-stages.ts';
import { ofBuckets } from './ready-of-buckets.ts';
import { ofContents } from './ready-of-contents.ts';
import { situations } from './ready-of-transfers.ts';
import { conditionsOf, expectSeen } from './seen-as.ts';
import { settle } from './table.ts';
import * as stage from './transfers/stages.ts';

/** What Flux, Argo CD and Helm make of each kind with each reason, after the real steps have reported it. */

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

describe('of a transfer, tools take', () => {
  const rows = situations.map((each) => ({ ...each, title: `${each.reason} (${each.state})` }));

  test.each(rows)('$title: the request for $request, the approval for $approval', (situation) => {
    const { reason, world, decide = matchTransfer.decide } = situation;
    const end = settle(decide, world).world;
    if (situation.request) expectSeen(end.request, situation.request, reason);
    else expect(end.request).toBe(world.request);
    if (situation.approval) expectSeen(end.approval, situation.approval, situation.approvalSays ?? reason);
    else expect(end.approval).toBe(world.approval);
  });

  test('each reason that a side can have', () => {
    const staged = Object.entries(transferReasons).filter(([, { stage: of }]) => of !== undefined);
    const declared = [...staged.map(([reason]) => reason), 'Failed', 'Complete'];
    expect(sorted(situations.map(({ reason }) => reason))).toEqual(sorted(declared));
    const { reasons } = documented('docs/transfers-by-request.md', '## Conditions');
    expect(sorted(reasons)).toEqual(sorted(declared));
  });

  test('what is complete has reached each stage, which is a reason too', () => {
    const { request: complete } = settle(matchTransfer.decide, stage.done).world;
    expect(sorted(conditionsOf(complete).map(({ reason }) => reason))).toEqual(
      sorted([...Object.keys(stages), 'Complete']),
    );
  });
});

describe.each([
  ['a Bucket', ofBuckets],
  ['a BucketContent', ofContents],
])('of buckets, tools take %s', (_, rows) => {
  test.each(rows)('%s (%s)', (reason, _state, object, verdict, ready = reason) => {
    expectSeen(object, verdict, ready, reason);
  });
});

test('of buckets, each reason is tried that an object can have, on each kind that can have it', () => {
  const declared = Object.entries(bucketReasons).filter(([, { shown }]) => shown === undefined);
  const [ofBucket, ofContent] = [ofBuckets, ofContents].map((rows) => rows.map(([reason]) => reason));
  expect(sorted([...(ofBucket ?? []), ...(ofContent ?? [])])).toEqual(sorted(declared.map(([reason]) => reason)));
  expect(sorted(ofBucket ?? [])).toEqual(sorted(documented('docs/buckets.md', '## Conditions of a Bucket').reasons));
  expect(sorted(ofContent ?? [])).toEqual(sorted(documented('docs/buckets.md', '## Conditions of a content').reasons));
});

test('the documents say which reasons tools take for a failure', () => {
  const failing = (kind: 'request' | 'approval') =>
    situations.flatMap((each) => {
      const says = kind === 'approval' ? (each.approvalSays ?? each.reason) : each.reason;
      return each[kind] === 'Failed' ? [says] : [];
    });
  // What is being deleted is not taken for a failure, but is marked like one.
  const stalled = (of: typeof ofBuckets) =>
    of.filter(([, , object]) => conditionsOf(object).some(({ type }) => type === 'Stalled')).map(([reason]) => reason);
  const { rows } = documented('docs/observing.md', '## Objects that tools understand');
  const said = (kind: string) => {
    const [, , , reasons = ''] = rows.find((row) => row.startsWith(`| ${kind} |`))?.split('|') ?? [];
    return sorted(reasons.match(/(?<=`)\w+(?=`)/g) ?? []);
  };
  expect(said('StorageTransferRequest')).toEqual(sorted(failing('request')));
  expect(said('StorageTransferApproval')).toEqual(sorted(failing('approval')));
  expect(said('Bucket')).toEqual(sorted(stalled(ofBuckets)));
  expect(said('BucketContent')).toEqual(sorted(stalled(ofContents)));
});

/** The rows of the tables under a heading, and the reasons that they begin with. */
function documented(path: string, heading: string) {
  const text = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const section = text.split(`${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return { rows, reasons: rows.flatMap((row) => /^\| `(\w+)` \|/.exec(row)?.[1] ?? []) };
}

test.each([request, approval, bucket, content])('whatever it has said, tools see that %p is being deleted', (build) => {
  const object = build({ metadata: { deletionTimestamp: '2026-03-01T11:59:00Z' }, status: {} });
  expect(verdictOf(object).status).toBe('Terminating');
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
    const objects = [request(), approval(), bucket(), content()];
    const cluster = await made(claim(), volume(), ...objects);
    for (const object of objects) {
      const stored = cluster.read(nameOfObject(object)) as ClusterObject;
      expect(verdictOf(stored).status).toBe('InProgress');
      expect(conditionsOf(stored).map(({ reason }) => reason)).toEqual(['Pending']);
    }
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
