import { expect, test } from '@jest/globals';
import type { TransferApproval, TransferRequest, Volume } from '../../lib/kubernetes/objects.ts';
import { consent, makeTransfer, type Transfer } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { named, remakeSource } from './case-recreated.ts';
import { expectMoved, untilReason } from './case-waits.ts';

const client = testClient();
runLongshore();

const hold = ['example.com/hold'];
/** Changes the target all the time: what Longshore writes there is refused again and again, and the end comes late. */
async function delayEnd({ target }: Transfer, isOver: () => boolean): Promise<void> {
  for (let round = 0; !isOver(); round += 1) {
    const labels = { busy: String(round) };
    await client.change(target, { metadata: { labels } }).catch(() => undefined);
  }
}

test('an approval is used by a transfer whose request is being deleted, and gives away no second claim', async () => {
  const transfer = await makeTransfer(client);
  const { request, approval, target, volume } = transfer;
  await consent(client, { ...transfer, request: { ...request, metadata: { ...request.metadata, finalizers: hold } } });
  let isOver = false;
  const busy = Array.from({ length: 4 }, () => delayEnd(transfer, () => isOver));
  try {
    await client.until<Volume>(volume, ({ spec }) => spec.claimRef?.namespace === target.metadata.namespace);
    await client.delete(request);
    await client.until<TransferRequest>(request, ({ metadata }) => metadata.deletionTimestamp !== undefined);
  } finally {
    isOver = true;
    await Promise.all(busy);
  }
  await expectMoved(client, transfer);
  expect((await client.until<TransferApproval>(approval)).status?.complete).toBe(true);
  await client.change(request, { metadata: { finalizers: null } });
  await client.untilGone(request);
  await remakeSource(client, transfer);
  await client.create({ ...request, spec: { ...request.spec, targetName: 'more' } });
  await untilReason(client, request, 'ApprovalUsed');
  await client.untilGone({ ...target, metadata: { ...named(target).metadata, name: 'more' } });
});
