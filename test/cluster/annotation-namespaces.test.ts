import { describe, expect, test } from '@jest/globals';
import type { Claim, Namespace } from '../../lib/kubernetes/objects.ts';
import { makeTransfer, type Transfer } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { namespaceOf } from './case-objects.ts';
import { accepting, expectTransferred, giveAway, offer, untilPending } from './case-offers.ts';
import { untilEvents, untilTold, volumeOf } from './case-waits.ts';

const client = testClient();
const longshore = runLongshore();

/** Somebody else has the name of a namespace by now. */
async function makeAnew(of: Claim): Promise<Namespace> {
  const namespace = namespaceOf(of);
  await client.delete(namespace);
  await client.untilGone(namespace);
  return client.create(namespace as Namespace);
}

async function offered(): Promise<Transfer> {
  const transfer = await makeTransfer(client);
  await offer(client, transfer);
  await untilPending(client, transfer.source);
  return transfer;
}

describe('a namespace that is made anew under the name of the destination', () => {
  test('gets nothing by accepting, before the deletion and after it, until the owner of the source says so', async () => {
    const transfer = await offered();
    const { metadata } = await makeAnew(transfer.target);
    await client.create(accepting(transfer));
    await untilTold(client, transfer.target, 'NamespaceReplaced');
    await untilTold(client, transfer.source, 'NamespaceReplaced');
    await untilEvents(client, transfer.source, 'NamespaceReplaced');
    await giveAway(client, transfer);
    await longshore.resync();
    const { message } = await untilTold(client, transfer.source, 'NamespaceReplaced');
    expect(message).toContain(`longshore.dev/destination-namespace-uids: ${metadata.uid}`);
    expect((await volumeOf(client, transfer)).spec.claimRef?.uid).toBe(transfer.source.metadata.uid);
    // What the claim once accepted is another matter.
    await client.annotate(transfer.source, { 'longshore.dev/namespace-uids': '*' });
    await longshore.resync();
    await untilTold(client, transfer.source, 'NamespaceReplaced');
    expect((await volumeOf(client, transfer)).spec.claimRef?.uid).toBe(transfer.source.metadata.uid);
    await client.annotate(transfer.source, { 'longshore.dev/destination-namespace-uids': metadata.uid ?? '' });
    await longshore.resync();
    await expectTransferred(client, transfer);
  });

  test('gets nothing when the namespace of the source is gone', async () => {
    const transfer = await offered();
    await client.delete(namespaceOf(transfer.source));
    await client.untilGone(namespaceOf(transfer.source));
    await makeAnew(transfer.target);
    await client.create(accepting(transfer));
    await untilTold(client, transfer.target, 'NamespaceReplaced');
    const { spec } = await volumeOf(client, transfer);
    expect([spec.claimRef?.uid, spec.persistentVolumeReclaimPolicy]).toEqual([transfer.source.metadata.uid, 'Retain']);
  });
});

test('a claim that accepted one of an earlier namespace does not get what the new one of its name offers', async () => {
  const planned = await makeTransfer(client);
  await client.create(accepting(planned));
  const { metadata } = await makeAnew(planned.source);
  const transfer = await makeTransfer(client, undefined, {
    source: { namespace: planned.source.metadata.namespace ?? '', name: planned.source.metadata.name },
    target: { namespace: planned.target.metadata.namespace ?? '', name: planned.target.metadata.name },
  });
  await offer(client, transfer);
  await giveAway(client, transfer);
  const { message } = await untilTold(client, transfer.target, 'SourceNamespaceReplaced');
  expect(message).toContain(`longshore.dev/namespace-uids: ${metadata.uid}`);
  await client.annotate(transfer.target, { 'longshore.dev/namespace-uids': metadata.uid ?? '' });
  await longshore.resync();
  await expectTransferred(client, transfer);
});
