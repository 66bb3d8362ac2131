import { describe, expect, test } from '@jest/globals';
import type { Claim, Volume } from '../../lib/kubernetes/objects.ts';
import { consent, makeTransfer, type Transfer } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { replaceNamespace } from './case-namespaces.ts';
import { deletePod, dropFinalizer, namespaceOf, podUsing } from './case-objects.ts';
import { accepting, expectTransferred, offer } from './case-offers.ts';
import { untilDeleting, untilEvents, untilReason, untilTold, volumeOf } from './case-waits.ts';

/** A request that is withdrawn after its source was deleted: whose the volume is then, and how they get it back. */

const client = testClient();
const longshore = runLongshore();
const hold = 'example.com/hold';
const fence = 'longshore.dev/transfer';

/** Past the point of no return: the source is deleted, and held by somebody else. */
async function begun(): Promise<Transfer> {
  const transfer = await makeTransfer(client, undefined, { metadata: { finalizers: [hold] } });
  await consent(client, transfer);
  await untilDeleting(client, transfer.source);
  await client.until<Claim>(transfer.target);
  return transfer;
}

/** The claim is held by nothing but our fence, has its volume, and says what its owner can do. */
async function expectStaying(transfer: Transfer): Promise<void> {
  const { message } = await untilTold(client, transfer.source, 'TransferWithdrawn');
  expect(message).toContain('offer it to a claim with another name in this namespace');
  const isOurs = ({ metadata }: Claim) => metadata.finalizers?.join() === fence;
  const source = await client.until<Claim>(transfer.source, isOurs);
  const volume = await volumeOf(client, transfer);
  expect(volume.spec.persistentVolumeReclaimPolicy).toBe('Retain');
  expect(volume.spec.claimRef?.uid).toBe(source.metadata.uid);
  expect(volume.metadata.labels).toMatchObject({ 'longshore.dev/kept': 'by-deleted-claim' });
  await client.untilGone(transfer.target);
}

function backTo({ source, ...transfer }: Transfer, name: string): Transfer {
  const { namespace = '' } = source.metadata;
  return { ...transfer, source, target: { ...transfer.target, metadata: { namespace, name } } };
}

describe('a request that is deleted when its source has been deleted', () => {
  test('leaves the claim with its volume, and its owner takes it back by another claim', async () => {
    const transfer = await begun();
    await client.delete(transfer.request);
    await untilTold(client, transfer.source, 'TransferWithdrawn');
    await dropFinalizer(client, transfer.source, hold);
    await longshore.resync();
    await expectStaying(transfer);
    const back = backTo(transfer, 'back');
    await client.create(accepting(back));
    await offer(client, back);
    await expectTransferred(client, back);
    await client.untilGone(transfer.source);
    expect((await volumeOf(client, transfer)).metadata.labels ?? {}).toEqual({});
  });

  test('leaves what its owner can offer to another namespace', async () => {
    const transfer = await begun();
    await client.delete(transfer.request);
    await untilTold(client, transfer.source, 'TransferWithdrawn');
    await dropFinalizer(client, transfer.source, hold);
    await client.create(accepting(transfer));
    await untilTold(client, transfer.target, 'NotOffered');
    await offer(client, transfer);
    await expectTransferred(client, transfer);
    await client.untilGone(transfer.source);
  });

  test('lets the claim go with its namespace, whose volume nobody gets who has the name then', async () => {
    const transfer = await begun();
    await client.delete(transfer.request);
    await untilTold(client, transfer.source, 'TransferWithdrawn');
    await client.delete(namespaceOf(transfer.source));
    await dropFinalizer(client, transfer.source, hold);
    await longshore.resync();
    const isWithdrawn = ({ metadata }: Volume) =>
      metadata.annotations?.['pv.kubernetes.io/transfer-status'] === 'withdrawn';
    await client.until<Volume>(transfer.volume, isWithdrawn, 60_000);
    await client.untilGone(namespaceOf(transfer.source), 120_000);
    await client.createNamespace(namespaceOf(transfer.source).metadata.name);
    const heir = backTo(transfer, transfer.source.metadata.name);
    await client.create(accepting(heir));
    await longshore.resync();
    await untilTold(client, heir.target, 'Invalid');
    expect((await volumeOf(client, transfer)).spec.persistentVolumeReclaimPolicy).toBe('Retain');
  });
});

test('an approval that is withdrawn after the owner has deleted the claim leaves it with its volume', async () => {
  const transfer = await makeTransfer(client);
  await client.create(podUsing(transfer.source));
  await consent(client, transfer);
  await untilReason(client, transfer.request, 'SourceInUse');
  await client.delete(transfer.source);
  await untilDeleting(client, transfer.source);
  await client.delete(transfer.approval);
  await untilTold(client, transfer.source, 'TransferWithdrawn');
  await deletePod(client, podUsing(transfer.source));
  await longshore.resync();
  await expectStaying(transfer);
  await untilReason(client, transfer.request, 'ApprovalMissing');
  const back = backTo(transfer, 'back');
  await client.create(accepting(back));
  await offer(client, back);
  await expectTransferred(client, back);
});

describe('a volume whose claim is gone when its request is deleted', () => {
  /** The source goes by force, while the target is being deleted and so cannot have the volume. */
  async function gone(): Promise<Transfer> {
    const transfer = await begun();
    const target = await client.until<Claim>(transfer.target);
    await client.change(target, { metadata: { finalizers: [...(target.metadata.finalizers ?? []), hold] } });
    await client.delete(transfer.target);
    await untilDeleting(client, transfer.target);
    await client.change(transfer.source, { metadata: { finalizers: [] } });
    await client.untilGone(transfer.source);
    await client.delete(transfer.request);
    await untilEvents(client, transfer.volume, 'TransferWithdrawn', 'AwaitingAcceptance');
    await dropFinalizer(client, transfer.target, hold);
    await client.untilGone(transfer.target);
    return transfer;
  }

  test('is had again by a claim of the same name, as long as it is the same namespace', async () => {
    const transfer = await gone();
    const kept = await volumeOf(client, transfer);
    expect(kept.spec.persistentVolumeReclaimPolicy).toBe('Retain');
    expect(kept.metadata.labels).toMatchObject({ 'longshore.dev/kept': 'without-claim' });
    const back = backTo(transfer, transfer.source.metadata.name);
    await client.create(accepting(back));
    await expectTransferred(client, back);
    expect((await volumeOf(client, transfer)).metadata.labels ?? {}).toEqual({});
  });

  test('is not had by the people who have the name of the namespace now', async () => {
    const transfer = await gone();
    await replaceNamespace(client, namespaceOf(transfer.source));
    const heir = backTo(transfer, transfer.source.metadata.name);
    await client.create(accepting(heir));
    await longshore.resync();
    await untilTold(client, heir.target, 'NamespaceReplaced');
    const volume = await volumeOf(client, transfer);
    expect(volume.spec.claimRef?.uid).toBe(transfer.source.metadata.uid);
    expect(volume.spec.persistentVolumeReclaimPolicy).toBe('Retain');
  });
});
