import { describe, expect, test } from '@jest/globals';
import type { Claim, ReclaimPolicy, TransferRequest } from '../../lib/kubernetes/objects.ts';
import { consent, makeTransfer, planTransfer, type Transfer, untilComplete } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { deletePod, dropFinalizer, podUsing } from './case-objects.ts';
import { accepting, expectTransferred, giveAway, offer, untilPending } from './case-offers.ts';
import { expectMoved, untilAsBefore, untilDeleting, untilReason, untilTold, volumeOf } from './case-waits.ts';

const client = testClient();
const longshore = runLongshore();

function placeOf({ metadata: { namespace = '', name } }: Claim) {
  return { namespace, name };
}

/** A transfer that waits for a pod, which nothing protects the claim from. */
async function waiting(policy: ReclaimPolicy): Promise<Transfer> {
  const transfer = await makeTransfer(client, undefined, { policy });
  await client.create(podUsing(transfer.source));
  await consent(client, transfer);
  await untilReason(client, transfer.request, 'SourceInUse');
  return transfer;
}

describe('names', () => {
  test('of claims may be in one namespace: then the claim is renamed', async () => {
    const { source } = planTransfer();
    const { namespace = '' } = source.metadata;
    const places = { source: { namespace, name: 'data' }, target: { namespace, name: 'renamed' } };
    const transfer = await makeTransfer(client, undefined, places);
    await consent(client, transfer);
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
    const again = { volume: transfer.volume, source: transfer.target, target: transfer.source };
    const plain = { ...again, target: { ...transfer.target, metadata: places.source } };
    await offer(client, plain);
    await client.create(accepting(plain));
    await giveAway(client, plain);
    await expectTransferred(client, plain);
  });

  test('of everything may be as long as the cluster allows', async () => {
    const { source, target } = planTransfer();
    const [from, to] = [source, target].map(({ metadata }) => (metadata.namespace ?? '').padEnd(63, 'x'));
    const name = 'n'.repeat(253);
    const places = { source: { namespace: from ?? '', name }, target: { namespace: to ?? '', name } };
    const made = await makeTransfer(client, undefined, places);
    const request = { ...made.request, metadata: { ...made.request.metadata, name } };
    const approval = { ...made.approval, metadata: { ...made.approval.metadata, name } };
    request.spec = { ...request.spec, approvalName: name };
    approval.spec = { ...approval.spec, requestName: name };
    const transfer = { ...made, request, approval };
    await client.create(podUsing(transfer.source));
    await consent(client, transfer);
    await untilReason(client, request, 'SourceInUse');
    await deletePod(client, podUsing(transfer.source));
    await longshore.resync();
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
  });
});

describe('a request that is made anew under its name', () => {
  test('is another request, which begins when the first has been taken back', async () => {
    const transfer = await waiting('Retain');
    const first = await client.until<TransferRequest>(transfer.request);
    const target = await client.until<Claim>(transfer.target);
    await client.delete(transfer.request);
    await client.create(transfer.request);
    await client.until<Claim>(transfer.target, ({ metadata }) => metadata.uid !== target.metadata.uid);
    await deletePod(client, podUsing(transfer.source));
    await longshore.resync();
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
    expect((await client.until<TransferRequest>(transfer.request)).metadata.uid).not.toBe(first.metadata.uid);
  });

  test('after the point of no return does not get what the first one was to have', async () => {
    const finalizers = ['example.com/hold'];
    const transfer = await makeTransfer(client, undefined, { metadata: { finalizers } });
    await consent(client, transfer);
    await untilDeleting(client, transfer.source);
    await client.delete(transfer.request);
    await client.untilGone(transfer.request);
    await client.create(transfer.request);
    await untilTold(client, transfer.source, 'TransferWithdrawn');
    await dropFinalizer(client, transfer.source, 'example.com/hold');
    await longshore.resync();
    await untilReason(client, transfer.request, 'SourceDeleting');
    const { spec } = await volumeOf(client, transfer);
    expect(spec.claimRef?.uid).toBe(transfer.source.metadata.uid);
    await client.untilGone(transfer.target);
  });
});

describe('a source that its owner deletes when the transfer has begun', () => {
  test('is moved all the same', async () => {
    const transfer = await waiting('Retain');
    await client.delete(transfer.source);
    await untilDeleting(client, transfer.source);
    await deletePod(client, podUsing(transfer.source));
    await longshore.resync();
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
  });
});

describe('one volume', () => {
  test('goes there by request and back by annotation', async () => {
    const there = await makeTransfer(client);
    await consent(client, there);
    await untilComplete(client, there);
    await expectMoved(client, there);
    await client.untilGone(there.source);
    const back = {
      volume: there.volume,
      source: there.target,
      target: { ...there.target, metadata: placeOf(there.source) },
    };
    await offer(client, back);
    await client.create(accepting(back));
    await giveAway(client, back);
    await expectTransferred(client, back);
  });

  test('goes there by annotation and back by request', async () => {
    const there = await makeTransfer(client);
    await offer(client, there);
    await client.create(accepting(there));
    await untilPending(client, there.target);
    await giveAway(client, there);
    await expectTransferred(client, there);
    const planned = planTransfer({ source: placeOf(there.target), target: placeOf(there.source) });
    const back = { ...planned, volume: there.volume };
    await consent(client, back);
    await untilComplete(client, back);
    const { metadata } = await client.until<Claim>(back.target);
    expect(
      Object.keys(metadata.annotations ?? {})
        .filter((name) => name.includes('transfer'))
        .sort(),
    ).toEqual(['longshore.dev/transferred-by', 'longshore.dev/transferred-from']);
  });
});

test('whoever asks for a claim without its owner’s consent learns nothing of it', async () => {
  const transfer = await makeTransfer(client);
  const unknown = { ...transfer.request, metadata: { ...transfer.request.metadata, name: 'unknown' } };
  unknown.spec = { ...unknown.spec, source: { ...unknown.spec.source, name: 'unknown' } };
  const statuses: string[] = [];
  for (const request of [transfer.request, unknown]) {
    await client.create(request);
    await untilReason(client, request, 'ApprovalMissing');
    const { status } = await client.until<TransferRequest>(request);
    statuses.push(
      JSON.stringify({ ...status, conditions: status?.conditions?.map(({ type, reason }) => [type, reason]) }),
    );
  }
  expect(statuses[0]).toBe(statuses[1]);
  await untilAsBefore(client, transfer);
});
