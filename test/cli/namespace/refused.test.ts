import { expect, test } from '@jest/globals';
import { approveIn } from '../../../cli/approve/approve.ts';
import { bucketFor } from '../../../cli/bucket/create.ts';
import { deleteIn } from '../../../cli/bucket/delete.ts';
import { tryOut } from '../../../cli/objects/refusals.ts';
import type { Work } from '../../../cli/objects/work.ts';
import { offerIn } from '../../../cli/offer/offer.ts';
import { restoreIn } from '../../../cli/restore/restore.ts';
import { linkFor } from '../../../cli/restore/restore-objects.ts';
import { claim as claimOf } from '../../../tools/local/transfer-objects.ts';
import { FakeCluster, workIn } from './fake-cluster.ts';

const namespace = 'team-b';
const claim = claimOf({ namespace, name: 'db' }, 'standard');
const bucket = bucketFor(namespace, { name: 'photos', className: 'standard', secretName: 'photos-access' });
const places = { claim: 'db', toNamespace: 'team-a', toName: 'db' };
const given = { targetNamespace: 'team-a', requestName: 'team-b.db', claim: 'db' };

test.each<[string, (work: Work) => Promise<number>]>([
  ['create storagetransferapprovals', (work) => approveIn(work, given, { for: 'team-a' })],
  ['patch persistentvolumeclaims', (work) => offerIn(work, places, { to: 'team-a' })],
  ['delete buckets', (work) => deleteIn(work, 'photos', {})],
])('who may not %s is told so, and not asked before', async (right, act) => {
  const cluster = new FakeCluster(claim, bucket);
  cluster.denied.add(right);
  const { work, told } = workIn(cluster, { namespace });
  await expect(act(work)).rejects.toThrow(`you may not ${right} in namespace ${namespace}: ask an administrator of`);
  expect([told.questions, told.err]).toEqual([[], []]);
});

test('who may create a link and no claim gets neither', async () => {
  const cluster = new FakeCluster();
  cluster.denied.add('create persistentvolumeclaims');
  const wish = { namespace, from: 'team-a', snapshot: 'nightly', toName: 'copy', accessModes: ['ReadWriteOnce'] };
  const restoring = restoreIn(workIn(cluster, { namespace }).work, { ...wish, size: '1Gi' }, { from: '', toName: '' });
  await expect(restoring).rejects.toThrow('you may not create persistentvolumeclaims');
  expect(cluster.get(linkFor(wish))).toBeUndefined();
});

test('a webhook that takes no dry runs keeps nobody from the write itself', async () => {
  const webhook = 'the server refuses it: admission webhook "x.example.com" does not support dry run';
  await expect(tryOut(Promise.reject(new Error(webhook)))).resolves.toBeUndefined();
  await expect(tryOut(Promise.reject(new Error('the server refuses it: quota')))).rejects.toThrow('quota');
});
