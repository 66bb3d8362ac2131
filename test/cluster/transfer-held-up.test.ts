import { expect, test } from '@jest/globals';
import type { Claim, TransferApproval } from '../../lib/kubernetes/objects.ts';
import { consent, makeTransfer, type Transfer } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { namespaceOf, podUsing } from './case-objects.ts';
import { accepting, offer, untilPending } from './case-offers.ts';
import { untilBound, untilReason, untilTold } from './case-waits.ts';

/** Whoever changes their own claim all the time, so that every write to it is refused, holds up nothing of the other side. */

const client = testClient();
runLongshore();
const fence = 'longshore.dev/transfer';

/** Changes the target from many sides while something else has to come about. */
async function whileChanged({ target }: Transfer, work: () => Promise<void>): Promise<void> {
  let [isOver, changes] = [false, 0];
  const hammer = async (mine: number) => {
    for (let round = 0; !isOver; round += 1) {
      await client.change(target, { metadata: { labels: { [`busy-${mine}`]: String(round) } } }).catch(() => {});
      changes += 1;
    }
  };
  const hammers = [1, 2, 3, 4].map(hammer);
  try {
    await client.until<Claim>(target, () => changes > 20);
    await work();
  } finally {
    isOver = true;
    await Promise.all(hammers);
  }
}

test('a source is let go when its approval is taken back', async () => {
  const transfer = await makeTransfer(client);
  await client.create(podUsing(transfer.source));
  await consent(client, transfer);
  await untilReason(client, transfer.request, 'SourceInUse');
  await whileChanged(transfer, async () => {
    await client.delete(transfer.approval);
    await client.until<Claim>(transfer.source, ({ metadata }) => !metadata.finalizers?.includes(fence));
    await client.until(
      transfer.volume,
      ({ metadata }) => metadata.annotations?.['longshore.dev/transfer-undoing'] === undefined,
    );
  });
  // Nobody binds it, and it is taken back as soon as it is left alone.
  await client.untilGone(transfer.target);
});

test('an approval is used before a claim that is made anew can be asked for by it', async () => {
  const transfer = await makeTransfer(client);
  const { request, approval, source, volume } = transfer;
  const { namespace = '', name } = source.metadata;
  await consent(client, transfer);
  await client.until<Claim>(transfer.target);
  await whileChanged(transfer, async () => {
    await client.untilGone(source);
    const used = await client.until<TransferApproval>(approval);
    expect(used.status?.complete).toBe(true);
    await client.create({ ...volume, metadata: { name: `${volume.metadata.name}-2` } });
    const anew = await client.create({ ...source, metadata: { namespace, name } });
    await untilBound(client, anew);
    await client.change(transfer.target, { metadata: { ownerReferences: null } });
    await client.delete(request);
    await client.untilGone(request);
    await client.create({ ...request, spec: { ...request.spec, targetName: 'more' } });
    await untilReason(client, request, 'ApprovalUsed');
  });
});

test('the owner of a deleted source is told why it stays', async () => {
  const transfer = await makeTransfer(client);
  await offer(client, transfer);
  await untilPending(client, transfer.source);
  const unfit = accepting(transfer);
  await client.create({ ...unfit, spec: { ...unfit.spec, storageClassName: 'another' } });
  await whileChanged(transfer, async () => {
    await client.delete(transfer.source);
    const { message } = await untilTold(client, transfer.source, 'AwaitingAcceptance');
    expect(message).toContain(transfer.target.metadata.name);
    await client.until<Claim>(transfer.source, ({ status }) =>
      (status?.conditions ?? []).some((each) => each.message?.includes('is being deleted and stays until')),
    );
  });
});

test('a namespace of a claim that is offered goes', async () => {
  const transfer = await makeTransfer(client);
  await offer(client, transfer);
  await untilPending(client, transfer.source);
  await client.create(accepting(transfer));
  await untilPending(client, transfer.target);
  const namespace = namespaceOf(transfer.source);
  await whileChanged(transfer, async () => {
    await client.delete(namespace);
    await client.untilGone(namespace, 120_000);
  });
});
