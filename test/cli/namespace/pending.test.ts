import { expect, test } from '@jest/globals';
import { requestFor } from '../../../cli/move/transfer-objects.ts';
import { pendingIn } from '../../../cli/pending/pending.ts';
import { sidesInTransfers, turnInBucket, turnInData, turnInTransfer } from '../../../cli/pending/whose-turn.ts';
import { explanationOf } from '../../../lib/capabilities/explanations.ts';
import { transferReasons } from '../../../lib/capabilities/transfers/reasons.ts';
import type { Claim, ClusterObject } from '../../../lib/kubernetes/objects.ts';
import { claim as claimOf } from '../../../tools/local/transfer-objects.ts';
import { FakeCluster, workIn } from './fake-cluster.ts';

const request = requestFor({ namespace: 'team-a', from: 'team-b', claim: 'db', toName: 'db' });
const namespace = 'team-b';

function saying<T extends ClusterObject>(
  object: T,
  type: string,
  reason: string,
  minute: number,
  message = 'a sentence',
) {
  const lastTransitionTime = `2026-11-20T00:0${minute}:00Z`;
  const conditions = [{ type, status: 'False', reason, message, lastTransitionTime }];
  return { ...object, status: { conditions } } as T;
}

function offeredTo(place: string): Claim {
  const claim = claimOf({ namespace, name: 'cache' }, 'standard');
  return { ...claim, metadata: { ...claim.metadata, annotations: { transferRequest: place } } };
}

/** Longshore has seen the offer, and keeps the volume when the claim is deleted. */
function fenced(claim: Claim): Claim {
  const annotations = { ...claim.metadata.annotations, 'pvc.kubernetes.io/transfer-status': 'pending' };
  return { ...claim, metadata: { ...claim.metadata, annotations, finalizers: ['longshore.dev/transfer-offer'] } };
}

test.each([
  ['its owner has taken the offer back', claimOf({ namespace, name: 'cache' }, 'standard')],
  ['nothing keeps its volume yet', offeredTo('team-c/cache')],
])('no line deletes a claim of which a stale condition says so, when %s', async (_, claim) => {
  const { work, told } = workIn(new FakeCluster(saying(claim, 'Transferred', 'AwaitingDeletion', 3)), { namespace });
  await pendingIn(work, {});
  expect(told.out.join('\n')).toContain('pvc/cache');
  expect(told.out.join('\n')).not.toContain('delete');
});

test('an approval of an earlier claim waits for its owner, with the line that approves the present one', async () => {
  const cluster = new FakeCluster(saying(request, 'Matched', 'ApprovedClaimReplaced', 1));
  const { work, told } = workIn(cluster, { namespace });
  await pendingIn(work, {});
  expect(told.out[0]).toContain('streq/team-b.db -n team-a waits for you');
  expect(told.out[0]).toContain('\n  longshore approve streq/team-b.db -n team-b --for team-a --claim db');
});

test.each([
  ['has been recreated', [claimOf({ namespace, name: 'db' }, 'standard')]],
  ['is gone', []],
])('nobody is told to approve a request for a claim that %s', async (_, claims) => {
  const outdated = structuredClone(request);
  outdated.spec.source.uid = 'of-an-earlier-claim';
  const { work, told } = workIn(new FakeCluster(saying(outdated, 'Matched', 'ApprovalMissing', 1), ...claims), {
    namespace,
  });
  expect(await pendingIn(work, {})).toBe(0);
  expect(told.out[0]).toContain('streq/team-b.db -n team-a waits for namespace team-a');
  expect(told.out[0]).toContain('for an earlier claim team-b/db, which has been deleted since');
  expect(told.out[0]).toContain('\n  for namespace team-a: longshore cancel streq/team-b.db -n team-a');
  expect(told.out[0]).not.toContain('approve');
});

test('where claims may not be listed, the line that approves is shown: whether it fits cannot be told', async () => {
  const named = structuredClone(request);
  named.spec.source.uid = 'uid-9';
  const cluster = new FakeCluster(saying(named, 'Matched', 'ApprovalMissing', 1));
  cluster.denied.add('list persistentvolumeclaims');
  const { work, told } = workIn(cluster, { namespace });
  expect(await pendingIn(work, {})).toBe(3);
  expect(told.out[0]).toContain('longshore approve streq/team-b.db');
});

test('the owner sees a request of another namespace with the line that approves it, and oldest comes first', async () => {
  const cluster = new FakeCluster(
    saying(fenced(offeredTo('team-c/cache')), 'Transferred', 'AwaitingDeletion', 3),
    saying(request, 'Matched', 'ApprovalMissing', 1, 'nobody has \u001b[31m approved'),
  );
  const { work, told } = workIn(cluster, { namespace });
  expect(await pendingIn(work, {})).toBe(3);
  const [first = '', second = ''] = told.out;
  expect(first).toContain('streq/team-b.db -n team-a waits for you');
  expect(first).toContain('\n  ApprovalMissing: nobody has ?[31m approved\n');
  expect(first).toContain('\n  longshore approve streq/team-b.db -n team-b --for team-a --claim db');
  expect(second).toContain('kubectl delete pvc/cache -n team-b');
  expect(told.err.at(-1)).toBe('2 wait in namespace team-b, 2 of them for you.');
});

test('the requester sees that it waits for the other namespace, and exits with 0', async () => {
  const cluster = new FakeCluster(saying(request, 'Matched', 'ApprovalMissing', 1));
  const { work, told } = workIn(cluster);
  expect(await pendingIn(work, {})).toBe(0);
  expect(told.out[0]).toContain('waits for namespace team-b');
});

test('in a namespace that does not exist it is not said that nothing waits', async () => {
  const cluster = new FakeCluster();
  cluster.missingNamespaces.add('team-x');
  const { work, told } = workIn(cluster, { namespace: 'team-x' });
  await expect(pendingIn(work, {})).rejects.toThrow('there is no namespace team-x: check -n and the context');
  expect([told.out, await pendingIn(work, { allNamespaces: true })]).toEqual([[], 0]);
  cluster.denied.add('get namespaces');
  expect(await pendingIn(work, {})).toBe(0);
});

test('requests of others that wait for their own side, or are for other claims, are no concern of this namespace', async () => {
  const elsewhere = requestFor({ namespace: 'team-a', from: 'team-c', claim: 'db', toName: 'db' });
  const cluster = new FakeCluster(
    saying(request, 'Fenced', 'TargetExists', 1),
    saying(elsewhere, 'Matched', 'ApprovalMissing', 1),
  );
  const { work, told } = workIn(cluster, { namespace });
  expect([await pendingIn(work, {}), told.out]).toEqual([0, []]);
});

test('where only the own namespace may be listed, it says what was not seen; where not even that, it does not say 0', async () => {
  const cluster = new FakeCluster();
  cluster.denied.add('list storagetransferrequests undefined');
  const { work, told } = workIn(cluster, { namespace });
  expect(await pendingIn(work, {})).toBe(0);
  expect(told.err[0]).toContain(
    'Not everything was seen: you may not list storagetransferrequests in the whole cluster',
  );
  cluster.denied.add('list buckets');
  cluster.denied.add('list storagetransferrequests');
  expect(await pendingIn(work, {})).toBe(1);
  expect(told.err.slice(-2)).toEqual([
    'Not everything was seen: you may not list storagetransferrequests, buckets in namespace team-b: ask an administrator of namespace team-b for the verb list on storagetransferrequests.transfer.storage.k8s.io, buckets.cosi.io.',
    'As far as it was seen, 0 wait in namespace team-b, 0 of them for you.',
  ]);
});

test('names that are none get into no line to copy, and what else others gave is one word of it', async () => {
  const evil = offeredTo('team-c/$(touch x)');
  const { spec } = request;
  const odd = { ...request, spec: { ...spec, source: { ...spec.source, name: '$(touch x)' } } };
  const cluster = new FakeCluster(
    saying(evil, 'Transferred', 'AwaitingAcceptance', 1),
    saying(odd, 'Matched', 'ApprovalMissing', 2),
  );
  const { work, told } = workIn(cluster, { namespace });
  await pendingIn(work, {});
  expect(told.out[0]).toContain('kubectl describe pvc/cache -n team-b');
  expect(told.out[1]).toContain("--claim '$(touch x)' --to-name db");
});

test('-o json is for programs: who, what, why, and the line', async () => {
  const { work, told } = workIn(new FakeCluster(saying(request, 'Matched', 'ApprovalMissing', 1)), { namespace });
  expect(await pendingIn(work, { output: 'json' })).toBe(3);
  expect(JSON.parse(told.out[0] ?? '')).toMatchObject([
    { waitsFor: 'you', object: 'streq/team-b.db', namespace: 'team-a', reason: 'ApprovalMissing' },
  ]);
});

test('for each reason of a transfer that its people can do something about, it is known which side', () => {
  const ofPeople = Object.entries(transferReasons).flatMap(([reason, { shown }]) => {
    const { turn } = explanationOf(reason, 'transfers') ?? {};
    return shown === undefined && (turn === 'owner' || turn === 'other side') ? [reason] : [];
  });
  expect(Object.keys(sidesInTransfers).sort()).toEqual(ofPeople.sort());
});

test.each([
  [turnInTransfer, 'ApprovalMissing', 'source'],
  [turnInTransfer, 'TargetExists', 'target'],
  [turnInTransfer, 'Invalid', 'writer'],
  [turnInTransfer, 'VolumeTaken', 'administrator'],
  [turnInTransfer, 'VolumeResizing', 'nobody'],
  [turnInTransfer, 'constructor', 'nobody'],
  [turnInData, 'ClaimTooSmall', 'claim'],
  [turnInData, 'NotGranted', 'snapshot'],
  [turnInData, 'SnapshotsOff', 'administrator'],
  [turnInData, 'Populating', 'nobody'],
  [turnInBucket, 'SecretExists', 'bucket'],
  [turnInBucket, 'DriverNotRegistered', 'administrator'],
  [turnInBucket, 'Retrying', 'nobody'],
] as const)('%p: %s is up to %s', (turnIn, reason, who) => {
  expect(turnIn(reason)).toBe(who);
});
