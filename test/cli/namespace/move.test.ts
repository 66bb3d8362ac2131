import { expect, test } from '@jest/globals';
import { type MoveOptions, moveIn } from '../../../cli/move/move.ts';
import { requestFor, requestName } from '../../../cli/move/transfer-objects.ts';
import type { TransferRequest } from '../../../lib/kubernetes/objects.ts';
import { isLegalName } from '../../../lib/kubernetes/resources.ts';
import { claim as claimOf } from '../../../tools/local/transfer-objects.ts';
import { FakeCluster, workIn } from './fake-cluster.ts';

const wish = { namespace: 'team-a', from: 'team-b', claim: 'db', toName: 'db' };
const options: MoveOptions = { from: 'team-b', wait: true };
const wanted = requestFor(wish);
const time = '2026-11-20T00:00:00Z';

function waiting(type: string, reason: string, message = 'because'): TransferRequest {
  const condition = { type, status: 'False' as const, reason, message, lastTransitionTime: time };
  return { ...wanted, status: { conditions: [condition, { ...condition, type: 'Complete' }] } };
}

test('the request is created, the owner gets the line to approve it, and its progress is told to the end', async () => {
  const cluster = new FakeCluster();
  const uid = () => cluster.get(wanted)?.metadata.uid as string;
  const { work, told } = workIn(cluster, {
    meanwhile: (times) => {
      const said = times === 1 ? waiting('Matched', 'ApprovalMissing', 'nobody has approved it') : complete();
      cluster.put({ ...said, metadata: { ...said.metadata, uid: uid() } });
    },
  });
  expect(await moveIn(work, wish, options)).toBe(0);
  expect(cluster.get(wanted)).toMatchObject({ spec: wanted.spec });
  expect(told.out.join('\n')).toContain(
    '\n  longshore approve streq/team-b.db -n team-b --for team-a --claim db --to-name db --approval team-a.db\n',
  );
  expect(told.out.at(-1)).toBe('Moved: claim team-a/db has the volume of team-b/db.');
  expect(told.err).toEqual(['ApprovalMissing: nobody has approved it', 'approved, complete']);
});

function complete(): TransferRequest {
  const is = (type: string) => ({ type, status: 'True' as const, reason: type, message: '', lastTransitionTime: time });
  return { ...wanted, status: { complete: true, conditions: [is('Matched'), is('Complete')] } };
}

test('Ctrl-C leaves the request and says how to go on; the same command finds it, and creates no other', async () => {
  const cluster = new FakeCluster();
  const first = workIn(cluster, { meanwhile: (_, stop) => stop.abort() });
  expect(await moveIn(first.work, { ...wish, toName: 'db2' }, options)).toBe(130);
  expect(first.told.err.at(-1)).toContain('longshore move pvc/db --from team-b --to-name db2 -n team-a\n');
  expect(first.told.err.at(-1)).toContain('longshore cancel streq/team-b.db -n team-a');
  const before = cluster.get(wanted);
  const { work, told } = workIn(cluster);
  expect(await moveIn(work, { ...wish, toName: 'db2' }, { ...options, wait: false })).toBe(0);
  expect(told.out[0]).toContain('is there already');
  expect(cluster.get(wanted)).toBe(before);
});

test.each<[string, Partial<TransferRequest['spec']>]>([
  ['exists already, with another target (other)', { targetName: 'other' }],
  ['exists already, with another approval (mine)', { approvalName: 'mine' }],
  ['exists already, for another claim (team-b/cache)', { source: { ...wanted.spec.source, name: 'cache' } }],
])('a request of that name that %s is left as it is', async (problem, spec) => {
  const other = { ...wanted, spec: { ...wanted.spec, ...spec } };
  const cluster = new FakeCluster(other);
  const { work } = workIn(cluster);
  await expect(moveIn(work, wish, options)).rejects.toThrow(problem);
  expect(cluster.calls.every(({ method }) => method === 'GET')).toBe(true);
});

const source = claimOf({ namespace: 'team-b', name: 'db' }, 'standard');
const meant = { ...wanted, spec: { ...wanted.spec, source: { ...wanted.spec.source, uid: 'uid-db' } } };
const noWait: MoveOptions = { ...options, wait: false };

test('the claim that is there is meant, and none that is created later under its name', async () => {
  const cluster = new FakeCluster({ ...source, metadata: { ...source.metadata, uid: 'uid-db' } });
  expect(await moveIn(workIn(cluster).work, wish, noWait)).toBe(0);
  expect(cluster.get(wanted)).toMatchObject({ spec: meant.spec });
});

test('who may not see the claim requests whichever has its name, and goes on with an earlier request', async () => {
  const cluster = new FakeCluster(source);
  cluster.denied.add('get persistentvolumeclaims team-b');
  expect(await moveIn(workIn(cluster).work, wish, noWait)).toBe(0);
  expect(cluster.get(wanted)).toMatchObject({ spec: wanted.spec });
  cluster.put(meant);
  expect(await moveIn(workIn(cluster).work, wish, noWait)).toBe(0);
});

test('a request for an earlier claim of that name is left as it is, unless it is under way', async () => {
  const cluster = new FakeCluster({ ...source, metadata: { ...source.metadata, uid: 'uid-recreated' } }, meant);
  const { work, told } = workIn(cluster);
  await expect(moveIn(work, wish, noWait)).rejects.toThrow(
    'for an earlier claim team-b/db, which has been deleted and recreated since',
  );
  cluster.put({ ...complete(), spec: meant.spec } as TransferRequest);
  await moveIn(work, wish, noWait);
  expect(told.out[0]).toContain('was complete before');
});

test('one that was deleted and made anew meanwhile is not taken for the same', async () => {
  const cluster = new FakeCluster();
  const { work, told } = workIn(cluster, {
    meanwhile: () => cluster.put({ ...complete(), metadata: wanted.metadata }),
  });
  expect(await moveIn(work, wish, options)).toBe(1);
  expect(told.err.at(-1)).toContain('is another one by now');
});

test.each(['SourceReplaced', 'SourceDeleting', 'SecretsInSourceNamespace'])('%s is not waited for', async (reason) => {
  const cluster = new FakeCluster(waiting('SourceReady', reason, 'it cannot be moved'));
  const { work, told } = workIn(cluster);
  expect(await moveIn(work, wish, options)).toBe(1);
  expect(told.err.at(-1)).toContain('Failed: it cannot be moved');
});

test('after the time limit it says what it waits for', async () => {
  const { work, told } = workIn(new FakeCluster(waiting('Fenced', 'SourceInUse', 'used by pods: db')));
  expect(await moveIn(work, wish, { ...options, timeout: 5_000 })).toBe(1);
  expect(told.err.at(-1)).toContain('It waits for this: SourceInUse: used by pods: db');
});

test('where Longshore says nothing for a while, that is told once', async () => {
  const { work, told } = workIn(new FakeCluster());
  expect(await moveIn(work, wish, { ...options, timeout: 60_000 })).toBe(1);
  expect(told.err.filter((line) => line.startsWith('Nothing has been reported'))).toHaveLength(1);
});

test('a target that exists already is told before anything is written', async () => {
  const cluster = new FakeCluster(claimOf({ namespace: 'team-a', name: 'db' }, 'standard'));
  await expect(moveIn(workIn(cluster).work, wish, options)).rejects.toThrow('give another name with --to-name');
  expect(cluster.get(wanted)).toBeUndefined();
});

test('who may not create requests learns which verb on which kind in which namespace is lacking', async () => {
  const cluster = new FakeCluster();
  cluster.denied.add('create storagetransferrequests team-a');
  await expect(moveIn(workIn(cluster).work, wish, options)).rejects.toThrow(
    'you may not create storagetransferrequests in namespace team-a: ask an administrator of namespace team-a for the verb create on storagetransferrequests.transfer.storage.k8s.io',
  );
});

test('a dry run is the server’s, keeps nothing, and prints the manifest alone on stdout', async () => {
  const cluster = new FakeCluster();
  const { work, told } = workIn(cluster);
  expect(await moveIn(work, wish, { ...options, dryRun: true, output: 'yaml' })).toBe(0);
  expect(cluster.calls.at(-1)?.path).toContain('dryRun=All');
  expect(cluster.get(wanted)).toBeUndefined();
  expect(told.out).toEqual([
    `apiVersion: transfer.storage.k8s.io/v1alpha1
kind: StorageTransferRequest
metadata:
  namespace: team-a
  name: team-b.db
spec:
  source:
    kind: PersistentVolumeClaim
    namespace: team-b
    name: db
  approvalName: team-a.db
  targetName: db`,
  ]);
});

test('what was complete before is not taken for a new move', async () => {
  const { work, told } = workIn(new FakeCluster(complete()));
  expect(await moveIn(work, wish, options)).toBe(1);
  expect(told.out[0]).toContain('was complete before');
  expect(told.err[0]).toContain('kubectl delete streq/team-b.db -n team-a');
});

test('names are legal however long their parts are, and differ where the parts do', () => {
  const long = { from: 'n'.repeat(63), claim: `${'c'.repeat(200)}.-x`.replace('.-', '.') };
  const names = [
    long,
    { ...long, claim: `${long.claim}y` },
    { from: 'a-b', claim: 'c' },
    { from: 'a', claim: 'b-c' },
  ].map(requestName);
  expect(names.every(isLegalName)).toBe(true);
  expect(new Set(names).size).toBe(4);
});
