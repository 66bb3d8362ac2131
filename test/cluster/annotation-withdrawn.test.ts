import { describe, expect, test } from '@jest/globals';
import type { Claim, Volume } from '../../lib/kubernetes/objects.ts';
import { makeTransfer } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { deletePod, namespaceOf, podUsing } from './case-objects.ts';
import {
  accepting,
  claimStatus,
  expectTransferred,
  giveAway,
  offer,
  takeBack,
  untilPending,
  untilVolume,
} from './case-offers.ts';
import { untilAsBefore, untilBound, untilDeleting, untilEvents, untilTold, volumeOf } from './case-waits.ts';

const client = testClient();
const longshore = runLongshore();
const status = 'pv.kubernetes.io/transfer-status';
const destination = 'pv.kubernetes.io/transfer-destination';

describe('an offer that is taken back', () => {
  test.each(['Delete', 'Retain'] as const)(
    'in time leaves everything as before, with its policy %s',
    async (policy) => {
      const transfer = await makeTransfer(client, undefined, { policy });
      await offer(client, transfer);
      await untilPending(client, transfer.source);
      await takeBack(client, transfer);
      await untilAsBefore(client, transfer);
      const { metadata } = await volumeOf(client, transfer);
      const marks = Object.keys(metadata.annotations ?? {}).filter((name) => name.includes('/transfer'));
      expect(marks).toEqual([]);
      await untilEvents(client, transfer.volume, 'TransferWithdrawn');
    },
  );

  test('in time is told to the one who has accepted, and can be made again', async () => {
    const transfer = await makeTransfer(client);
    await offer(client, transfer);
    await client.create(accepting(transfer));
    await untilPending(client, transfer.target);
    await takeBack(client, transfer);
    await untilTold(client, transfer.target, 'NotOffered');
    expect((await client.until<Claim>(transfer.target)).metadata.annotations).not.toHaveProperty([claimStatus]);
    await offer(client, transfer);
    await giveAway(client, transfer);
    await expectTransferred(client, transfer);
  });

  test('after the deletion, while a pod holds the claim, keeps both, and its owner can get the volume back', async () => {
    const transfer = await makeTransfer(client);
    const pod = podUsing(transfer.source, 'node-1');
    await client.create(pod);
    await offer(client, transfer);
    await untilPending(client, transfer.source);
    await client.delete(transfer.source);
    await untilDeleting(client, transfer.source);
    await takeBack(client, transfer);
    await untilTold(client, transfer.source, 'TransferWithdrawn');
    await untilEvents(client, transfer.source, 'TransferWithdrawn');
    await client.create(accepting(transfer));
    await untilTold(client, transfer.target, 'NotOffered');
    await deletePod(client, pod);
    await longshore.resync();
    const { namespace = '' } = transfer.source.metadata;
    const back = { ...transfer, target: { ...transfer.target, metadata: { namespace, name: 'back' } } };
    await client.create(accepting(back));
    await untilTold(client, back.target, 'NotOffered');
    expect((await volumeOf(client, transfer)).spec.claimRef?.uid).toBe(transfer.source.metadata.uid);
    await offer(client, back);
    await expectTransferred(client, back);
    await client.untilGone(transfer.source);
  });

  test('after the deletion of its namespace keeps the volume from everybody', async () => {
    const transfer = await makeTransfer(client);
    const pod = podUsing(transfer.source, 'node-1');
    await client.create(pod);
    await offer(client, transfer);
    await untilPending(client, transfer.source);
    await client.delete(transfer.source);
    await untilDeleting(client, transfer.source);
    await takeBack(client, transfer);
    await untilTold(client, transfer.source, 'TransferWithdrawn');
    await client.delete(namespaceOf(transfer.source));
    await deletePod(client, pod);
    await longshore.resync();
    const isWithdrawn = ({ metadata }: Volume) => metadata.annotations?.[status] === 'withdrawn';
    const kept = await client.until<Volume>(transfer.volume, isWithdrawn);
    expect(kept.spec.persistentVolumeReclaimPolicy).toBe('Retain');
    await client.untilGone(namespaceOf(transfer.source));
    const released = await client.until<Volume>(transfer.volume, (volume) => volume.status?.phase === 'Released');
    expect(released.spec.claimRef?.namespace).toBe(transfer.source.metadata.namespace);
  });

  test('and made to another destination goes there, and to nobody else', async () => {
    const transfer = await makeTransfer(client);
    await offer(client, transfer);
    await client.create(accepting(transfer));
    await untilPending(client, transfer.target);
    const other = { ...transfer.target, metadata: { ...transfer.target.metadata, name: 'other' } };
    const redirected = { ...transfer, target: other };
    await offer(client, redirected);
    await client.until<Volume>(
      transfer.volume,
      ({ metadata }) => metadata.annotations?.[destination]?.endsWith('/other') === true,
    );
    await untilVolume(client, redirected, 'pending');
    await longshore.resync();
    await untilTold(client, transfer.target, 'NotOffered');
    expect((await client.until<Claim>(transfer.target)).metadata.annotations).not.toHaveProperty([claimStatus]);
    await client.create(accepting(redirected));
    await giveAway(client, redirected);
    await expectTransferred(client, redirected);
    expect((await client.until<Claim>(transfer.target)).spec.volumeName).toBeUndefined();
  });
});

test('whoever has accepted is told at once when the claim is offered to another one', async () => {
  const transfer = await makeTransfer(client);
  await offer(client, transfer);
  await client.create(accepting(transfer));
  await untilPending(client, transfer.target);
  const other = { ...transfer.target, metadata: { ...transfer.target.metadata, name: 'other' } };
  await offer(client, { ...transfer, target: other });
  await untilTold(client, transfer.target, 'NotOffered');
});

describe('a pod that uses an offered claim', () => {
  test('holds it when it is deleted, which both sides are told, and then it is handed over', async () => {
    const transfer = await makeTransfer(client);
    const pod = podUsing(transfer.source, 'node-1');
    await client.create(pod);
    await offer(client, transfer);
    await client.create(accepting(transfer));
    await untilPending(client, transfer.source);
    await untilPending(client, transfer.target);
    await client.delete(transfer.source);
    const { metadata } = await untilDeleting(client, transfer.source);
    const deletedAt = Date.parse(metadata.deletionTimestamp ?? '');
    await client.until(transfer.volume, () => Date.now() - deletedAt > 5_000);
    await longshore.resync();
    const { message } = await untilTold(client, transfer.source, 'SourceHeld');
    expect(message).toContain('database-0');
    await untilTold(client, transfer.target, 'SourceHeld');
    expect((await volumeOf(client, transfer)).spec.claimRef?.uid).toBe(transfer.source.metadata.uid);
    await deletePod(client, pod);
    await expectTransferred(client, transfer);
  });

  test('and that came to a node when nothing protected the claim any more keeps the volume where it is', async () => {
    const finalizers = ['example.com/hold'];
    const transfer = await makeTransfer(client, undefined, { metadata: { finalizers } });
    await offer(client, transfer);
    await client.create(accepting(transfer));
    await untilPending(client, transfer.target);
    await untilPending(client, transfer.source);
    await client.delete(transfer.source);
    const isUnprotected = ({ metadata }: Claim) => !metadata.finalizers?.includes('kubernetes.io/pvc-protection');
    await client.until<Claim>(transfer.source, isUnprotected);
    const pod = podUsing(transfer.source, 'node-1');
    await client.create(pod);
    await client.change(transfer.source, { metadata: { finalizers: ['longshore.dev/transfer-offer'] } });
    await untilTold(client, transfer.target, 'SourceInUse');
    expect((await volumeOf(client, transfer)).spec.claimRef?.uid).toBe(transfer.source.metadata.uid);
    await deletePod(client, pod);
    await longshore.resync();
    await expectTransferred(client, transfer);
  });

  test('and that holds it after its deletion does not make it one that can be offered', async () => {
    const transfer = await makeTransfer(client, undefined, { policy: 'Retain' });
    await client.create(podUsing(transfer.source, 'node-1'));
    await client.delete(transfer.source);
    await untilDeleting(client, transfer.source);
    await offer(client, transfer);
    const { message } = await untilTold(client, transfer.source, 'SourceDeleting');
    expect(message).toContain('was deleted before its volume was safe');
  });

  test('does not hinder the offer, nor that it is taken back', async () => {
    const transfer = await makeTransfer(client);
    await client.create(podUsing(transfer.source, 'node-1'));
    await offer(client, transfer);
    await untilPending(client, transfer.source);
    await takeBack(client, transfer);
    await untilAsBefore(client, transfer);
    await untilBound(client, transfer.source);
  });
});
