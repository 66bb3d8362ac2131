import { describe, expect, test } from '@jest/globals';
import type { Claim, Volume } from '../../lib/kubernetes/objects.ts';
import { consent, makeTransfer, type Transfer, untilComplete } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { deletePod, dropFinalizer, namespaceOf, podUsing } from './case-objects.ts';
import {
  expectMoved,
  untilAsBefore,
  untilDeleting,
  untilEvents,
  untilReason,
  untilTold,
  volumeOf,
} from './case-waits.ts';

const client = testClient();
const longshore = runLongshore();
const hold = 'example.com/hold';

/** Everything that can still be taken back has been done: only a pod keeps the transfer from going on. */
async function prepared(): Promise<Transfer> {
  const transfer = await makeTransfer(client);
  await client.create(podUsing(transfer.source));
  await consent(client, transfer);
  await untilReason(client, transfer.request, 'SourceInUse');
  expect((await client.get<Claim>(transfer.source))?.metadata.finalizers).toContain('longshore.dev/transfer');
  expect((await client.get<Claim>(transfer.target))?.spec.volumeName).toBe(transfer.volume.metadata.name);
  return transfer;
}

/** Past the point of no return: the source is deleted, and held by somebody else. */
async function begun(): Promise<Transfer> {
  const transfer = await makeTransfer(client, undefined, { metadata: { finalizers: [hold] } });
  await consent(client, transfer);
  await untilDeleting(client, transfer.source);
  expect((await volumeOf(client, transfer)).spec.persistentVolumeReclaimPolicy).toBe('Retain');
  return transfer;
}

/** The one who holds the source lets it go. */
function letGo({ source }: Transfer): Promise<void> {
  return dropFinalizer(client, source, hold);
}

describe('before the point of no return', () => {
  test.each(['request', 'approval'] as const)('everything is put back when the %s is deleted', async (which) => {
    const transfer = await prepared();
    await client.delete(transfer[which]);
    await untilAsBefore(client, transfer);
    await untilEvents(client, transfer.source, 'RolledBack');
    const left =
      which === 'request' ? (['approval', 'RequestMissing'] as const) : (['request', 'ApprovalMissing'] as const);
    await untilReason(client, transfer[left[0]], left[1]);
  });

  test('what was withdrawn is done when it is approved again', async () => {
    const transfer = await prepared();
    await client.delete(transfer.approval);
    await untilAsBefore(client, transfer);
    await deletePod(client, podUsing(transfer.source));
    await client.create(transfer.approval);
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
  });

  test('everything is put back when the namespace of the target is deleted', async () => {
    const transfer = await prepared();
    await client.delete(namespaceOf(transfer.target));
    await client.untilGone(namespaceOf(transfer.target));
    await untilAsBefore(client, transfer);
    await untilReason(client, transfer.approval, 'RequestMissing');
  });

  test('a target that somebody deletes is made anew', async () => {
    const transfer = await prepared();
    const first = await client.until<Claim>(transfer.target);
    await client.delete(first);
    const isAnother = ({ metadata }: Claim) => metadata.uid !== first.metadata.uid;
    await client.until<Claim>(transfer.target, isAnother);
    await deletePod(client, podUsing(transfer.source));
    await longshore.resync();
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
  });
});

describe('after the point of no return', () => {
  test('a transfer is finished though the approval is deleted', async () => {
    const transfer = await begun();
    await client.delete(transfer.approval);
    await client.untilGone(transfer.approval);
    await letGo(transfer);
    await client.untilGone(transfer.source);
    await expectMoved(client, transfer);
  });

  test('claim and volume are kept when the request is deleted while somebody holds the source', async () => {
    const transfer = await begun();
    await client.delete(transfer.request);
    await client.untilGone(transfer.target);
    await letGo(transfer);
    await untilTold(client, transfer.source, 'TransferWithdrawn');
    const kept = await volumeOf(client, transfer);
    expect(kept.spec.persistentVolumeReclaimPolicy).toBe('Retain');
    expect(kept.status?.phase).toBe('Bound');
    expect(kept.metadata.annotations).toMatchObject({ 'pv.kubernetes.io/transfer-status': 'pending' });
    expect((await client.get<Claim>(transfer.source))?.metadata.finalizers).toEqual(['longshore.dev/transfer']);
    await untilReason(client, transfer.approval, 'RequestMissing');
  });

  test('the volume stays while a pod is on a node that came when nothing protected its claim any more', async () => {
    const transfer = await begun();
    const isUnprotected = ({ metadata }: Claim) => !metadata.finalizers?.includes('kubernetes.io/pvc-protection');
    await client.until<Claim>(transfer.source, isUnprotected);
    const pod = podUsing(transfer.source, 'node-1');
    await client.create(pod);
    await letGo(transfer);
    await untilReason(client, transfer.request, 'SourceInUse');
    expect((await volumeOf(client, transfer)).spec.claimRef?.uid).toBe(transfer.source.metadata.uid);
    await deletePod(client, pod);
    await longshore.resync();
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
  });

  test('the volume is not moved when somebody bound it to another claim', async () => {
    const transfer = await begun();
    const claimRef = { name: 'stranger', uid: '00000000-0000-4000-8000-000000000000', resourceVersion: null };
    await client.change(transfer.volume, { spec: { claimRef } });
    await letGo(transfer);
    await longshore.resync();
    const { message } = await untilReason(client, transfer.request, 'VolumeTaken');
    expect(message).toContain('/stranger by someone else: it is left as it is');
    const volume = await client.until<Volume>(transfer.volume);
    expect(volume.spec.persistentVolumeReclaimPolicy).toBe('Retain');
    expect(volume.spec.claimRef?.name).toBe('stranger');
  });
});
