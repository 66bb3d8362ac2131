import { expect, test } from '@jest/globals';
import type { TransferApproval, Volume } from '../../lib/kubernetes/objects.ts';
import { makeTransfer, type Transfer, untilComplete } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { remakeSource } from './case-recreated.ts';
import { untilBound, untilEvents, untilReason } from './case-waits.ts';

const client = testClient();
runLongshore();

function approvalOf({ approval }: Transfer, uid: string | undefined): TransferApproval {
  return { ...approval, spec: { ...approval.spec, source: { ...approval.spec.source, ...(uid ? { uid } : {}) } } };
}

/** The owner has approved the claim, and before it is requested, another one has its name. */
async function recreated(uidOf: (transfer: Transfer) => string | undefined) {
  const transfer = await makeTransfer(client, undefined, { policy: 'Retain' });
  const approval = approvalOf(transfer, uidOf(transfer));
  await client.create(approval);
  await client.delete(transfer.source);
  const source = await remakeSource(client, transfer);
  await client.create(transfer.request);
  const volume = { ...transfer.volume, metadata: { name: source.spec.volumeName ?? '' } };
  return { transfer, approval, source, volume };
}

test('an approval of a claim gives away none that was recreated under its name, and both sides are told', async () => {
  const { transfer, approval, source, volume } = await recreated((made) => made.source.metadata.uid);
  for (const object of [transfer.request, approval]) {
    await untilReason(client, object, 'ApprovedClaimReplaced');
    await untilEvents(client, object, 'ApprovedClaimReplaced');
  }
  const { metadata } = await untilBound(client, source);
  expect(metadata.uid).toBe(source.metadata.uid);
  expect(metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
  expect((await client.until<Volume>(volume)).spec.claimRef?.uid).toBe(source.metadata.uid);
  await client.untilGone(transfer.target);

  await client.delete(approval);
  await client.untilGone(approval);
  await client.create(approvalOf(transfer, source.metadata.uid));
  await untilComplete(client, transfer);
  const target = await untilBound(client, transfer.target);
  expect((await client.until<Volume>(volume)).spec.claimRef?.uid).toBe(target.metadata.uid);
});

test('an approval without a uid is for whichever claim has the name', async () => {
  const { transfer, volume } = await recreated(() => undefined);
  await untilComplete(client, transfer);
  const target = await untilBound(client, transfer.target);
  expect((await client.until<Volume>(volume)).spec.claimRef?.uid).toBe(target.metadata.uid);
});
