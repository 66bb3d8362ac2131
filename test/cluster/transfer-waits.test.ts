import { describe, expect, test } from '@jest/globals';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { consent, makeNamespaces, makeTransfer, planTransfer, untilComplete } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { deletePod, podUsing } from './case-objects.ts';
import {
  expectMoved,
  untilBound,
  untilDeleting,
  untilError,
  untilEvents,
  untilReason,
  volumeOf,
} from './case-waits.ts';

const client = testClient();
const longshore = runLongshore();
const hold = 'example.com/hold';

describe('a transfer waits and goes on by itself', () => {
  test('for a source that is not there, and that is bound later', async () => {
    const transfer = planTransfer();
    await makeNamespaces(client, transfer);
    await consent(client, transfer);
    await untilReason(client, transfer.request, 'SourceMissing');
    await client.create(transfer.source);
    await untilReason(client, transfer.request, 'SourceNotBound');
    await untilReason(client, transfer.approval, 'SourceNotBound');
    await client.create(transfer.volume);
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
  });

  test.each([
    ['that waits for a node', undefined],
    ['on a node', 'node-1'],
  ])('for a pod %s, which it names', async (_, node) => {
    const transfer = await makeTransfer(client);
    const pod = podUsing(transfer.source, node);
    await client.create(pod);
    await consent(client, transfer);
    const { message } = await untilReason(client, transfer.request, 'SourceInUse');
    expect(message).toContain('used by pods: database-0');
    await untilEvents(client, transfer.approval, 'SourceInUse');
    expect((await client.until<Claim>(transfer.source)).metadata.deletionTimestamp).toBeUndefined();
    expect((await volumeOf(client, transfer)).spec.persistentVolumeReclaimPolicy).toBe('Delete');
    await deletePod(client, pod);
    await longshore.resync();
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
  });

  test("for somebody else's finalizer on the source, which it names", async () => {
    const transfer = await makeTransfer(client, undefined, { metadata: { finalizers: [hold] } });
    await consent(client, transfer);
    const { metadata } = await untilDeleting(client, transfer.source);
    const deletedAt = Date.parse(metadata.deletionTimestamp ?? '');
    await client.until(transfer.source, () => Date.now() - deletedAt > 5_000);
    await longshore.resync();
    const { message } = await untilReason(client, transfer.request, 'SourceHeld');
    expect(message).toContain(`still held by ${hold}`);
    expect((await volumeOf(client, transfer)).spec.claimRef?.namespace).toBe(transfer.source.metadata.namespace);
    await client.change(transfer.source, { metadata: { finalizers: ['longshore.dev/transfer'] } });
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
  });

  test.each([
    ['snapshot', 'snapshot.storage.kubernetes.io/pvc-as-source-protection'],
    ['clone', 'provisioner.storage.kubernetes.io/cloning-protection'],
  ])('for a %s of the source that is being made', async (what, finalizer) => {
    const transfer = await makeTransfer(client, undefined, { metadata: { finalizers: [finalizer] } });
    await consent(client, transfer);
    const { message } = await untilReason(client, transfer.request, 'SourceBusy');
    expect(message).toContain(`a ${what} of it`);
    await client.change(transfer.source, { metadata: { finalizers: ['kubernetes.io/pvc-protection'] } });
    await untilComplete(client, transfer);
  });

  test('for a claim that has the name of the target, and is not touched', async () => {
    const transfer = await makeTransfer(client);
    const stranger = await client.create(transfer.target);
    await consent(client, transfer);
    const message = await untilError(client, transfer, 'TargetExists');
    expect(message).toMatch(/already exists .*: create a request with another targetName/);
    expect((await client.get<Claim>(stranger))?.metadata.uid).toBe(stranger.metadata.uid);
    const isFree = ({ metadata }: Claim) => !metadata.finalizers?.includes('longshore.dev/transfer');
    expect((await client.until<Claim>(transfer.source, isFree)).metadata.deletionTimestamp).toBeUndefined();
    await client.delete(stranger);
    await untilComplete(client, transfer);
  });
});

describe('a transfer that cannot be made says so, and touches nothing', () => {
  test('when the owner is deleting the source', async () => {
    const transfer = await makeTransfer(client, undefined, { metadata: { finalizers: [hold] } });
    await client.delete(transfer.source);
    await untilDeleting(client, transfer.source);
    await consent(client, transfer);
    await untilReason(client, transfer.request, 'SourceDeleting');
    await untilReason(client, transfer.approval, 'SourceDeleting');
    await client.change(transfer.source, { metadata: { finalizers: null } });
    await untilReason(client, transfer.request, 'SourceMissing');
    expect(await client.get(transfer.target)).toBeUndefined();
  });

  test('when the volume is being deleted', async () => {
    const transfer = await makeTransfer(client);
    await client.delete(transfer.volume);
    await consent(client, transfer);
    expect(await untilError(client, transfer, 'VolumeDeleting')).toContain('it cannot be moved');
    expect((await untilBound(client, transfer.source)).metadata.deletionTimestamp).toBeUndefined();
    expect(await client.get(transfer.target)).toBeUndefined();
  });

  test('when the volume is gone', async () => {
    const transfer = await makeTransfer(client);
    await client.delete(transfer.volume);
    await client.change(transfer.volume, { metadata: { finalizers: null } });
    await client.untilGone(transfer.volume);
    await client.until<Claim>(transfer.source, ({ status }) => status?.phase === 'Lost');
    await consent(client, transfer);
    expect(await untilError(client, transfer, 'SourceLost')).toContain('there is nothing to move');
    expect(await client.get(transfer.target)).toBeUndefined();
  });

  test('when the volume has been bound to another claim', async () => {
    const transfer = await makeTransfer(client);
    const claimRef = { name: 'stranger', uid: '00000000-0000-4000-8000-000000000000', resourceVersion: null };
    await client.change(transfer.volume, { spec: { claimRef, persistentVolumeReclaimPolicy: 'Retain' } });
    await client.until<Claim>(transfer.source, ({ status }) => status?.phase === 'Lost');
    await consent(client, transfer);
    await untilError(client, transfer, 'SourceLost');
    expect((await volumeOf(client, transfer)).spec.claimRef?.name).toBe('stranger');
  });

  test('when the volume is used with Secrets of the namespace that it would leave', async () => {
    const { namespace = '' } = planTransfer().source.metadata;
    const csi = {
      driver: 'csi.example.com',
      volumeHandle: namespace,
      nodeStageSecretRef: { namespace, name: 'key' },
    };
    const source = { namespace, name: 'data' };
    const transfer = await makeTransfer(client, undefined, { source, volume: { csi, hostPath: undefined } });
    await consent(client, transfer);
    expect(await untilError(client, transfer, 'SecretsInSourceNamespace')).toContain('copy the data instead');
    expect(await client.get(transfer.target)).toBeUndefined();
  });

  test('when it would move a claim to itself', async () => {
    const place = { namespace: planTransfer().source.metadata.namespace ?? '', name: 'data' };
    const transfer = await makeTransfer(client, undefined, { source: place, target: place });
    await client.create(transfer.request);
    expect(await untilError(client, transfer, 'Invalid')).toContain('source and target are the same claim');
  });
});
