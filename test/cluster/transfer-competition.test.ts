import { describe, expect, test } from '@jest/globals';
import type { Claim, TransferRequest } from '../../lib/kubernetes/objects.ts';
import {
  consent,
  makeNamespaces,
  makeTransfer,
  planTransfer,
  type Transfer,
  untilComplete,
} from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { deletePod, podUsing } from './case-objects.ts';
import { offer, takeBack, untilPending } from './case-offers.ts';
import { expectMoved, untilBound, untilReason, untilTold } from './case-waits.ts';

const client = testClient();
const longshore = runLongshore();

function placeOf({ metadata: { namespace = '', name } }: Claim) {
  return { namespace, name };
}

async function isComplete({ request }: Transfer): Promise<boolean> {
  return (await client.until<TransferRequest>(request)).status?.complete === true;
}

/** Waits until one of two is complete, and answers it and then the other. */
async function winnerOf(one: Transfer, other: Transfer): Promise<[Transfer, Transfer]> {
  for (;;) {
    if (await isComplete(one)) return [one, other];
    if (await isComplete(other)) return [other, one];
  }
}

describe('of two that want the same', () => {
  test('source, one gets it, and the other is told that there is none any more', async () => {
    const one = await makeTransfer(client);
    const other = { ...planTransfer({ source: placeOf(one.source) }), volume: one.volume };
    await makeNamespaces(client, other);
    await Promise.all([consent(client, one), consent(client, other)]);
    const [winner, loser] = await winnerOf(one, other);
    await untilComplete(client, winner);
    await expectMoved(client, winner);
    await untilReason(client, loser.request, 'SourceMissing');
    expect(await client.get(loser.target)).toBeUndefined();
  });

  test('source, the second waits while the first does, and gets it when the first is withdrawn', async () => {
    const first = await makeTransfer(client);
    const pod = podUsing(first.source);
    await client.create(pod);
    await consent(client, first);
    await untilReason(client, first.request, 'SourceInUse');
    const second = { ...planTransfer({ source: placeOf(first.source) }), volume: first.volume };
    await makeNamespaces(client, second);
    await consent(client, second);
    const { message } = await untilReason(client, second.request, 'SourceBusy');
    expect(message).toContain(`by request ${first.request.metadata.namespace}/${first.request.metadata.name}`);
    await deletePod(client, pod);
    await client.delete(first.request);
    await untilComplete(client, second);
    await expectMoved(client, second);
    expect(await client.get(first.target)).toBeUndefined();
  });

  test('target, one gets it, and the source of the other stays as it is', async () => {
    const one = await makeTransfer(client);
    const other = await makeTransfer(client, undefined, { target: placeOf(one.target) });
    await Promise.all([consent(client, one), consent(client, other)]);
    const [winner, loser] = await winnerOf(one, other);
    const { metadata } = await expectMoved(client, winner);
    await untilReason(client, loser.request, 'TargetExists');
    const isFree = (claim: Claim) => !claim.metadata.finalizers?.includes('longshore.dev/transfer');
    expect((await client.until<Claim>(loser.source, isFree)).metadata.deletionTimestamp).toBeUndefined();
    expect((await expectMoved(client, winner)).metadata.uid).toBe(metadata.uid);
    await client.delete(loser.request);
    await untilBound(client, loser.source);
  });
});

test('three transfers at once between the same namespaces, there and back, do not get into each other', async () => {
  const { source, target } = planTransfer();
  const [here, there] = [source, target].map(({ metadata }) => metadata.namespace ?? '') as [string, string];
  const courses = [
    { source: { namespace: here, name: 'one' }, target: { namespace: there, name: 'three' } },
    { source: { namespace: here, name: 'two' }, target: { namespace: there, name: 'two' } },
    { source: { namespace: there, name: 'one' }, target: { namespace: here, name: 'three' } },
  ];
  const transfers: Transfer[] = [];
  for (const course of courses) transfers.push(await makeTransfer(client, undefined, course));
  await Promise.all(transfers.map((transfer) => consent(client, transfer)));
  for (const transfer of transfers) {
    await untilComplete(client, transfer);
    await client.untilGone(transfer.source);
    await expectMoved(client, transfer);
  }
});

describe('of a request and an annotation for the same claim', () => {
  test('the request waits while the claim is offered, and goes on when the offer is taken back', async () => {
    const transfer = await makeTransfer(client);
    await offer(client, transfer);
    await untilPending(client, transfer.source);
    await consent(client, transfer);
    const { message } = await untilReason(client, transfer.request, 'SourceBusy');
    expect(message).toContain('is offered to another claim by its annotation transferRequest');
    await takeBack(client, transfer);
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
  });

  test('the offer waits while the request has the claim, and stands when the request is withdrawn', async () => {
    const transfer = await makeTransfer(client);
    await client.create(podUsing(transfer.source));
    await consent(client, transfer);
    await untilReason(client, transfer.request, 'SourceInUse');
    await offer(client, transfer);
    const { message } = await untilTold(client, transfer.source, 'SourceBusy');
    expect(message).toContain('is being moved by request');
    await client.delete(transfer.request);
    await untilPending(client, transfer.source);
    await longshore.resync();
    expect((await untilBound(client, transfer.source)).metadata.finalizers).toContain('longshore.dev/transfer-offer');
  });
});
