import { expect, test } from '@jest/globals';
import { approveIn } from '../../../cli/approve/approve.ts';
import { approvalFor, requestFor } from '../../../cli/move/transfer-objects.ts';
import { claim as claimOf } from '../../../tools/local/transfer-objects.ts';
import { podUsing } from '../../cluster/case-objects.ts';
import { FakeCluster, workIn } from './fake-cluster.ts';

const request = requestFor({ namespace: 'team-a', from: 'team-b', claim: 'db', toName: 'copy' });
const plain = claimOf({ namespace: 'team-b', name: 'db' }, 'standard');
const claim = {
  ...plain,
  metadata: { ...plain.metadata, uid: 'uid-db' },
  status: { phase: 'Bound' as const, capacity: { storage: '2Gi' } },
};
const recreated = { ...claim, metadata: { ...claim.metadata, uid: 'uid-recreated' } };
const given = { requestName: 'team-b.db', targetNamespace: 'team-a' };
const typed = { ...given, claim: 'db', approval: 'team-a.db' };
const consent = {
  ...{ namespace: 'team-b', name: 'team-a.db', claim: 'db' },
  ...{ targetNamespace: 'team-a', requestName: 'team-b.db' },
};
const approval = approvalFor(consent, 'uid-db');
const namespace = 'team-b';

test('what is given to whom is shown and asked once, and all six pairs match', async () => {
  const cluster = new FakeCluster(request, claim, podUsing(claim) as never);
  const { work, told } = workIn(cluster, { namespace });
  expect(await approveIn(work, given, { for: 'team-a' })).toBe(0);
  expect(told.questions).toEqual([
    `This gives a claim with all of its data away:
  claim:   team-b/db, Bound
  size:    2Gi
  volume:  none yet
  used by: database-0
  goes to: namespace team-a, as claim copy
It is gone from namespace team-b then.
give db`,
  ]);
  expect(cluster.get(approval)).toMatchObject({ spec: approval.spec });
  expect(request.spec.approvalName).toBe(approval.metadata.name);
  expect(request.metadata.name).toBe(approval.spec.requestName);
});

test('without the right to read the request, what was typed is enough, and it is said that it was', async () => {
  const cluster = new FakeCluster(request, claim);
  cluster.denied.add('get storagetransferrequests team-a');
  cluster.denied.add('list pods');
  const { work, told } = workIn(cluster, { namespace });
  await expect(approveIn(work, given, { for: 'team-a' })).rejects.toThrow('say with --claim what it is for');
  expect(await approveIn(work, typed, { for: 'team-a' })).toBe(0);
  expect(told.questions[0]).toContain('as you typed it: the request cannot be read');
  expect(told.questions[0]).toContain('unknown: you may not list pods');
  expect(cluster.get(approval)).toMatchObject({ spec: approval.spec });
});

test('a request that says something else than what was typed is not approved', async () => {
  const cluster = new FakeCluster(request, claim);
  const { work } = workIn(cluster, { namespace });
  await expect(approveIn(work, { ...typed, claim: 'cache' }, { for: 'team-a', yes: true })).rejects.toThrow(
    'does not say what you were told: --claim is cache, but there it is db',
  );
  await expect(approveIn(workIn(cluster).work, given, { for: 'team-a' })).rejects.toThrow('check -n');
  expect(cluster.get(approval)).toBeUndefined();
});

test('a claim that was made anew while the question stood is not given away', async () => {
  const cluster = new FakeCluster(request, claim);
  const { work } = workIn(cluster, { namespace });
  const { confirm } = work.user;
  work.user.confirm = async (...words) => {
    cluster.put(recreated);
    return confirm(...words);
  };
  await expect(approveIn(work, given, { for: 'team-a' })).rejects.toThrow('is not the one that was shown any more');
  expect(cluster.get(approval)).toBeUndefined();
});

test('a no, or no answer, approves nothing', async () => {
  const cluster = new FakeCluster(request, claim);
  expect(await approveIn(workIn(cluster, { namespace, answer: false }).work, given, { for: 'team-a' })).toBe(1);
  expect(cluster.calls.every(({ method, path }) => method === 'GET' || path.includes('dryRun=All'))).toBe(true);
});

test('one that exists already is no second gift, and one that was used is told', async () => {
  const cluster = new FakeCluster(request, claim, approval);
  const { work, told } = workIn(cluster, { namespace });
  expect(await approveIn(work, given, { for: 'team-a' })).toBe(0);
  expect([told.questions, told.out[0]]).toEqual([[], expect.stringContaining('exists already')]);
  cluster.put({ ...approval, status: { complete: true } } as typeof approval);
  await expect(approveIn(work, given, { for: 'team-a' })).rejects.toThrow('an approval is for one transfer');
  const other: typeof approval = { ...approval, spec: { ...approval.spec, requestName: 'another' } };
  cluster.put(other);
  await expect(approveIn(work, given, { for: 'team-a' })).rejects.toThrow('is left as it is');
});

test('names in a request that are no names are not used', async () => {
  const evil = { ...request, spec: { ...request.spec, source: { ...request.spec.source, name: '../db' } } };
  const { work } = workIn(new FakeCluster(evil, claim), { namespace });
  await expect(approveIn(work, given, { for: 'team-a', yes: true })).rejects.toThrow('which is no name');
});

test('what does not exist cannot be given away', async () => {
  const { work } = workIn(new FakeCluster(request), { namespace });
  await expect(approveIn(work, given, { for: 'team-a', yes: true })).rejects.toThrow('there is no claim team-b/db');
});

test('the manifest names the claim by its uid, and so does what is created', async () => {
  const cluster = new FakeCluster(request, claim);
  const { work, told } = workIn(cluster, { namespace });
  expect(await approveIn(work, given, { for: 'team-a', dryRun: true, output: 'yaml' })).toBe(0);
  expect(told.out).toEqual([
    `apiVersion: transfer.storage.k8s.io/v1alpha1
kind: StorageTransferApproval
metadata:
  namespace: team-b
  name: team-a.db
spec:
  source:
    kind: PersistentVolumeClaim
    name: db
    uid: uid-db
  targetNamespace: team-a
  requestName: team-b.db`,
  ]);
  expect(await approveIn(work, given, { for: 'team-a', yes: true })).toBe(0);
  expect(cluster.get(approval)).toMatchObject({ spec: { source: { uid: 'uid-db' } } });
  expect(told.err.join('\n')).not.toContain('earlier version');
});

test('an approval for a claim that has been recreated since is told, and not taken for one of the present claim', async () => {
  const { work, told } = workIn(new FakeCluster(request, recreated, approval), { namespace });
  await expect(approveIn(work, given, { for: 'team-a' })).rejects.toThrow(
    'for an earlier claim db, which has been deleted and recreated since: nothing is moved',
  );
  expect(told.questions).toEqual([]);
});

test.each([
  ['is on its way', { ...approval, status: matched() }],
  ['was approved by its name alone', approvalFor(consent, undefined)],
])('an approval of a claim that %s exists already, although another claim has the name', async (_, before) => {
  const { work, told } = workIn(new FakeCluster(request, recreated, before), { namespace });
  expect(await approveIn(work, given, { for: 'team-a' })).toBe(0);
  expect(told.out[0]).toContain('exists already');
});

test('a request for an earlier claim of that name is not approved', async () => {
  const { source } = request.spec;
  const ofEarlier = { ...request, spec: { ...request.spec, source: { ...source, uid: 'uid-earlier' } } };
  const cluster = new FakeCluster(ofEarlier, claim);
  const { work } = workIn(cluster, { namespace });
  await expect(approveIn(work, given, { for: 'team-a', yes: true })).rejects.toThrow(
    'is for an earlier claim team-b/db',
  );
  expect(cluster.get(approval)).toBeUndefined();
});

test('who approves learns that a cluster with an earlier definition approves the name alone', async () => {
  const cluster = new FakeCluster(request, claim);
  cluster.pruned = (made) => ({ ...made, spec: approvalFor(consent, undefined).spec }) as typeof approval;
  const { work, told } = workIn(cluster, { namespace });
  expect(await approveIn(work, given, { for: 'team-a', yes: true })).toBe(0);
  expect(told.err.at(-1)).toContain('without spec.source.uid: the approval is for whichever claim has this name');
});

function matched() {
  const lastTransitionTime = '2026-11-20T00:00:00Z';
  return { conditions: [{ type: 'Matched', status: 'True', reason: 'Matched', message: '', lastTransitionTime }] };
}
