import { describe, expect, test } from '@jest/globals';
import type { Claim, Namespace, Volume } from '../../lib/kubernetes/objects.ts';
import { consent, makeTransfer, type Transfer, untilComplete } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { replaceNamespace } from './case-namespaces.ts';
import { dropFinalizer, namespaceOf } from './case-objects.ts';
import {
  expectMoved,
  untilAsBefore,
  untilBound,
  untilDeleting,
  untilEvents,
  untilReason,
  untilTime,
} from './case-waits.ts';

/** Namespaces that go, and that other people make anew under the same name. */

const client = testClient();
const longshore = runLongshore();
const hold = 'example.com/hold';

/** The record is on the volume and the source is deleted, but somebody else holds it. */
async function begun(): Promise<Transfer> {
  const transfer = await makeTransfer(client, undefined, { metadata: { finalizers: [hold] } });
  await consent(client, transfer);
  await untilDeleting(client, transfer.source);
  await client.until<Claim>(transfer.target);
  return transfer;
}

async function letGo({ source }: Transfer): Promise<void> {
  await dropFinalizer(client, source, hold);
}

const replace = (namespace: Namespace) => replaceNamespace(client, namespace);

/** Nobody has the volume, it is retained, and the deleted claim stays with it for its owner. */
async function expectKept({ volume, source }: Transfer): Promise<void> {
  const isKept = ({ metadata }: Volume) =>
    metadata.annotations?.['pv.kubernetes.io/transfer-status'] === 'pending' &&
    metadata.annotations['longshore.dev/transfer-undoing'] === undefined;
  const kept = await client.until<Volume>(volume, isKept);
  const { namespace, name, uid } = source.metadata;
  expect(kept.metadata.annotations).toMatchObject({
    'pv.kubernetes.io/transfer-destination': `${namespace}/${name}`,
    'longshore.dev/transfer-offered-by': `${namespace}/${name}/${uid}`,
    'longshore.dev/original-reclaim-policy': 'Delete',
  });
  expect(kept.metadata.annotations?.['longshore.dev/transfer']).toBeUndefined();
  expect(kept.spec.persistentVolumeReclaimPolicy).toBe('Retain');
  expect(kept.spec.claimRef?.uid).toBe(uid);
  const isHeld = ({ metadata }: Claim) => metadata.finalizers?.join() === 'longshore.dev/transfer';
  expect((await client.until<Claim>(source, isHeld)).metadata.deletionTimestamp).toBeDefined();
}

describe('a namespace that was deleted while a transfer into it was under way', () => {
  test('gets nothing when other people make it anew: the volume is kept for whoever had it', async () => {
    const transfer = await begun();
    await client.delete(transfer.approval);
    await replace(namespaceOf(transfer.target));
    await longshore.resync();
    await letGo(transfer);
    await longshore.resync();
    await expectKept(transfer);
    await client.untilGone(transfer.target);
    await untilEvents(client, transfer.volume, 'TransferWithdrawn');
  });

  test('gets nothing though its new people ask for the same in the same words', async () => {
    const transfer = await begun();
    await replace(namespaceOf(transfer.target));
    await client.create(transfer.request);
    await letGo(transfer);
    await longshore.resync();
    await expectKept(transfer);
    await client.untilGone(transfer.target);
  });
});

describe('the target’s side of a transfer whose source is held by somebody else', () => {
  test('gets out by deleting the request: no claim is made there any more', async () => {
    const transfer = await begun();
    await client.delete(transfer.request);
    await client.untilGone(transfer.request);
    await client.untilGone(transfer.target);
    await longshore.resync();
    await letGo(transfer);
    await longshore.resync();
    await expectKept(transfer);
    await client.untilGone(transfer.target);
    await untilEvents(client, transfer.source, 'TransferWithdrawn');
  });

  test('is told who holds it as long as the request is there', async () => {
    const transfer = await begun();
    const { metadata } = await untilDeleting(client, transfer.source);
    // It is told only when it lasts, and then at the next list.
    await untilTime(Date.parse(metadata.deletionTimestamp ?? '') + 6_000);
    await longshore.resync();
    const { message } = await untilReason(client, transfer.request, 'SourceHeld');
    expect(message).toContain(hold);
    await letGo(transfer);
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
  });
});

describe('an approval that is older than the namespace which it names', () => {
  test('is void for whoever has the name now, until its owner confirms it', async () => {
    const transfer = await makeTransfer(client);
    await client.create(transfer.approval);
    await untilReason(client, transfer.approval, 'RequestMissing');
    await replace(namespaceOf(transfer.target));
    await client.create(transfer.request);
    await untilReason(client, transfer.request, 'ApprovalMissing');
    const { message } = await untilReason(client, transfer.approval, 'NamespaceReplaced');
    await untilAsBefore(client, transfer);
    const { metadata } = await client.until<Namespace>(namespaceOf(transfer.target));
    expect(message).toContain(`longshore.dev/namespace-uids: ${metadata.uid}`);
    await client.change(transfer.approval, {
      metadata: { annotations: { 'longshore.dev/namespace-uids': metadata.uid ?? '' } },
    });
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
  });

  test('agrees to it again when it is made again', async () => {
    const transfer = await makeTransfer(client);
    await client.create(transfer.approval);
    await replace(namespaceOf(transfer.target));
    await client.create(transfer.request);
    await untilReason(client, transfer.approval, 'NamespaceReplaced');
    await client.delete(transfer.approval);
    await client.create(transfer.approval);
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
  });
});

test('a request that is older than the namespace which it asks is not for what its new people have', async () => {
  const planned = await makeTransfer(client);
  await client.create(planned.request);
  await replace(namespaceOf(planned.source));
  // The volume of the new people, under the names of the old ones.
  const volume = { ...planned.volume, metadata: { name: `${planned.volume.metadata.name}-new` } };
  const { namespace = '', name } = planned.source.metadata;
  await client.create(volume);
  const source = await client.create({ ...planned.source, metadata: { namespace, name } });
  await untilBound(client, source);
  const transfer = { ...planned, volume, source };
  await client.create(transfer.approval);
  const { message } = await untilReason(client, transfer.request, 'NamespaceReplaced');
  expect(message).toContain(`namespace ${namespace}`);
  await untilAsBefore(client, transfer);
});
