import { expect, test } from '@jest/globals';
import type { Bucket } from '../../../lib/capabilities/buckets/objects.ts';
import type { Claim, TransferRequest } from '../../../lib/kubernetes/objects.ts';
import { bucket, isBound } from '../../../tools/local/bucket-objects.ts';
import { until } from '../../support/patience.ts';
import { type Bound, boundBucket, className, isOpen, isReadable, makeClass } from './case-bucket.ts';
import { untilAllQueuesAreEmpty } from './case-dead-letters.ts';
import { ownStack } from './case-own-stack.ts';
import { Runbook } from './case-runbook.ts';
import { transferOf, untilMoved } from './case-transfer.ts';

const own = ownStack({ capabilities: 'transfers,buckets' });

test('when a cluster goes back in time no data is lost, and what became of the store since then is told', async () => {
  const [client, deployed, operator] = [own.client(), own.deployed(), await own.operator()];
  const { controlPlane } = own.local();
  const transfer = await transferOf(client, 'db1');
  await client.create(transfer.request);
  await makeClass(client, deployed);
  const [photos, films] = [await boundBucket(client, 'stage', 'photos'), await boundBucket(client, 'stage', 'films')];
  const isTold = ({ status }: TransferRequest) => status?.conditions?.[0]?.reason === 'ApprovalMissing';
  await client.until<TransferRequest>(transfer.request, isTold);
  const backup = await controlPlane.backUp();

  await client.create(transfer.approval);
  await untilMoved(client, transfer);
  const late = await boundBucket(client, 'stage', 'late');
  await client.delete(films.bucket);
  await client.untilGone(films.bucket);

  await controlPlane.restore(backup);
  await client.until<Claim>(transfer.source as Claim, ({ status }) => status?.phase === 'Bound');
  expect(await client.get<Bucket>(late.bucket)).toBeUndefined();

  const variables = { CLASS: className, NAMESPACE: 'stage', FOUND: late.name, MISSING: contentOf(films) };
  for (const [name, value] of Object.entries(variables)) operator.set(name, value);
  const runbook = new Runbook('the-cluster-was-restored-from-a-backup', operator);
  await runbook.follow();
  const told = await runbook.follow();
  for (const each of [late.name, films.name, contentOf(films)]) expect(told).toContain(each);
  expect(told).not.toContain(photos.name);
  await runbook.follow();
  await runbook.follow();
  const found = await client.until<Bucket>(bucket('stage', 'found-again', 'found-again'), isBound);
  expect(await isReadable(client, { ...late, bucket: found })).toBe(true);
  await until('there is a bucket for films', () => isOpen(client, films));
  expect(await isReadable(client, photos)).toBe(true);

  await runbook.follow();
  // What was said since the backup has to be said again.
  await client.create(transfer.approval);
  await untilMoved(client, transfer);
  await untilAllQueuesAreEmpty(deployed);
  await runbook.follow();
  runbook.over();
});

function contentOf({ bucket: { status } }: Bound): string {
  return status?.bucketContentName ?? '';
}
