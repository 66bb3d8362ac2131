import { expect, test } from '@jest/globals';
import { approveIn } from '../../../cli/approve/approve.ts';
import { approvalFor, requestFor } from '../../../cli/move/transfer-objects.ts';
import { claim as claimOf } from '../../../tools/local/transfer-objects.ts';
import { podUsing } from '../../cluster/case-objects.ts';
import { FakeCluster, workIn } from './fake-cluster.ts';

const request = requestFor({ namespace: 'team-a', from: 'team-b', claim: 'db', toName: 'copy' });
const plain = claimOf({ namespace: 'team-b', name: 'db' }, 'standard');
const claim = { ...plain, status: { phase: 'Bound' as const, capacity: { storage: '2Gi' } } };
const given = { requestName: 'team-b.db', targetNamespace: 'team-a' };
const typed = { ...given, claim: 'db', approval: 'team-a.db' };
const approval = approvalFor({
  ...{ namespace: 'team-b', name: 'team-a.db', claim: 'db' },
  ...{ targetNamespace: 'team-a', requestName: 'team-b.db' },
});
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
    cluster.put(claim);
    return confirm(...words);
  };
  await expect(approveIn(work, given, { for: 'team-a' })).rejects.toThrow('is not the one that was shown any more');
  expect(cluster.get(approval)).toBeUndefined();
});

test('a no, or no answer, approves nothing', async () => {
  const cluster = new FakeCluster(request, claim);
  expect(await approveIn(workIn(cluster, { namespace, answer: false }).work, given, { for: 'team-a' })).toBe(1);
  expect(cluster.calls.every(({ method }) => method === 'GET')).toBe(true);
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
