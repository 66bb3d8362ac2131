import { describe, expect, test } from '@jest/globals';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { displayName } from '../../lib/kubernetes/resources.ts';
import { makeTransfer, type Transfer } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { namespaceOf } from './case-objects.ts';
import { accepting, expectTransferred, giveAway, offer, untilPending, untilVolume } from './case-offers.ts';
import { untilEvents, untilTold } from './case-waits.ts';

const client = testClient();
runLongshore();

type Act = 'offer' | 'accept' | 'delete';
const orders: Act[][] = [
  ['offer', 'accept', 'delete'],
  ['accept', 'offer', 'delete'],
  ['offer', 'delete', 'accept'],
];

async function act(transfer: Transfer, what: Act): Promise<void> {
  if (what === 'offer') await offer(client, transfer);
  if (what === 'accept') await client.create(accepting(transfer));
  if (what === 'delete') await giveAway(client, transfer);
}

/** The same volume, from where it has come to back to where it was. */
function back({ source, target, volume }: Transfer) {
  const { apiVersion, kind, spec } = target;
  const { namespace = '', name } = source.metadata;
  return { volume, source: target, target: { apiVersion, kind, metadata: { namespace, name }, spec } };
}

describe('a claim that is offered, accepted and deleted by their owners', () => {
  test.each(orders.map((order) => [order.join(', '), order] as const))('moves in the order %s', async (_, order) => {
    const transfer = await makeTransfer(client);
    for (const what of order) await act(transfer, what);
    const target = await expectTransferred(client, transfer);
    expect(await client.get(transfer.source)).toBeUndefined();
    await untilEvents(client, transfer.source, 'TransferPending');
    await untilEvents(client, transfer.volume, 'TransferPending', 'TransferComplete');
    await untilEvents(client, target, 'TransferComplete');
  });

  test('shows on the way what the specification says, on the volume and on both claims', async () => {
    const transfer = await makeTransfer(client);
    await offer(client, transfer);
    await untilPending(client, transfer.source);
    expect((await untilVolume(client, transfer, 'pending')).spec.persistentVolumeReclaimPolicy).toBe('Retain');
    await client.create(accepting(transfer));
    const waiting = await untilPending(client, transfer.target);
    expect(waiting.status?.phase).toBe('Pending');
    expect(waiting.spec.volumeName).toBeUndefined();
    await untilEvents(client, waiting, 'TransferPending');
    await giveAway(client, transfer);
    await untilVolume(client, transfer, 'complete');
    await expectTransferred(client, transfer);
  });

  test('a claim that accepts first is told that nobody offers it anything, and then that it has its volume', async () => {
    const transfer = await makeTransfer(client);
    await client.create(accepting(transfer));
    const { message } = await untilTold(client, transfer.target, 'NotOffered');
    expect(message).toContain('Its owner can offer it with the annotation transferRequest');
    await untilEvents(client, transfer.target, 'NotOffered');
    await offer(client, transfer);
    await giveAway(client, transfer);
    await expectTransferred(client, transfer);
    expect((await untilTold(client, transfer.target, 'Complete')).status).toBe('True');
  });

  test.each(['Delete', 'Retain'] as const)('moves there and back again with one volume on %s', async (policy) => {
    const there = await makeTransfer(client, undefined, { policy });
    for (const what of ['offer', 'accept', 'delete'] as const) await act(there, what);
    await expectTransferred(client, there);
    const andBack = back(there);
    await offer(client, andBack);
    await client.create(accepting(andBack));
    await untilPending(client, andBack.target);
    await giveAway(client, andBack);
    const target = await expectTransferred(client, andBack);
    expect(target.metadata.namespace).toBe(there.source.metadata.namespace);
  });

  test('is moved on to a third one, who accepts it from the second', async () => {
    const first = await makeTransfer(client);
    for (const what of ['offer', 'accept', 'delete'] as const) await act(first, what);
    await expectTransferred(client, first);
    const third = { ...first.target, metadata: { ...first.target.metadata, name: 'third' } };
    const second = { volume: first.volume, source: first.target, target: third };
    await client.create(accepting(second));
    await offer(client, second);
    await giveAway(client, second);
    await expectTransferred(client, second);
  });

  test('is offered before it has a volume: it waits, and is safe as soon as it is bound', async () => {
    const transfer = await makeTransfer(client);
    const unbound: Claim = { ...transfer.target, metadata: { ...transfer.source.metadata, name: 'later' } };
    const { apiVersion, kind, spec } = unbound;
    const { namespace = '' } = unbound.metadata;
    const source: Claim = { apiVersion, kind, metadata: { namespace, name: 'later' }, spec };
    await client.create({
      ...source,
      metadata: { ...source.metadata, annotations: { transferRequest: displayName(transfer.target.metadata) } },
    });
    await untilTold(client, source, 'SourceNotBound');
    const made = transfer.volume;
    const claimRef = { ...made.spec.claimRef, name: 'later' };
    const name = `${made.metadata.name}-later`;
    await client.create({ ...made, metadata: { name }, spec: { ...made.spec, claimRef } });
    await untilPending(client, source);
  });
});

test('a claim that its owner deletes before anybody accepts it stays, and can be got back under another name', async () => {
  const transfer = await makeTransfer(client);
  await offer(client, transfer);
  await giveAway(client, transfer);
  const { message } = await untilTold(client, transfer.source, 'AwaitingAcceptance');
  expect(message).toContain('To get the volume back, offer it to a claim with another name in this namespace');
  const { namespace = '' } = transfer.source.metadata;
  const back = { ...transfer, target: { ...transfer.target, metadata: { namespace, name: 'back' } } };
  await client.create(accepting(back));
  await offer(client, back);
  await expectTransferred(client, back);
  await client.untilGone(transfer.source);
});

test('a namespace that is deleted with a claim that is offered in it does not take the volume along', async () => {
  const transfer = await makeTransfer(client);
  await offer(client, transfer);
  await client.delete(namespaceOf(transfer.source));
  await client.untilGone(namespaceOf(transfer.source));
  expect((await untilVolume(client, transfer, 'pending')).spec.persistentVolumeReclaimPolicy).toBe('Retain');
  await client.create(accepting(transfer));
  await expectTransferred(client, transfer);
});
