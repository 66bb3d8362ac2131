import { describe, expect, test } from '@jest/globals';
import type { Claim } from '../../lib/cluster/objects.ts';
import { makeTransfer, planTransfer } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { accepting, expectTransferred, giveAway, offer, untilPending, untilVolume } from './case-offers.ts';
import { untilAsBefore, untilBound, untilEvents, untilTold, volumeOf } from './case-waits.ts';

const client = testClient();
const longshore = runLongshore();

/** Whatever is to be done about anything has been done when what came last has been. */
async function untilAllIsSeen(): Promise<void> {
  await longshore.resync();
  const marker = await makeTransfer(client);
  await offer(client, marker);
  await client.create(accepting(marker));
  await untilPending(client, marker.target);
  await giveAway(client, marker);
  await expectTransferred(client, marker);
}

describe('nobody gets a volume who was not to have it', () => {
  test('a claim of the destination that does not accept goes without it, and one that accepts gets it', async () => {
    const transfer = await makeTransfer(client);
    await offer(client, transfer);
    await giveAway(client, transfer);
    const plain = await client.create(transfer.target);
    await untilAllIsSeen();
    expect((await client.until<Claim>(plain)).spec.volumeName).toBeUndefined();
    expect((await untilVolume(client, transfer, 'pending')).spec.claimRef?.uid).toBe(transfer.source.metadata.uid);
    await client.delete(plain);
    await client.untilGone(plain);
    await client.create(accepting(transfer));
    await expectTransferred(client, transfer);
  });

  test('a claim that begins to accept after it was made gets it', async () => {
    const transfer = await makeTransfer(client);
    await offer(client, transfer);
    await giveAway(client, transfer);
    await client.create(transfer.target);
    await client.annotate(transfer.target, accepting(transfer).metadata.annotations ?? {});
    await expectTransferred(client, transfer);
  });

  test('of two that accept only the one that it is offered to gets it', async () => {
    const transfer = await makeTransfer(client);
    const other = { ...transfer.target, metadata: { ...transfer.target.metadata, name: 'other' } };
    await offer(client, transfer);
    await Promise.all([transfer.target, other].map((target) => client.create(accepting({ ...transfer, target }))));
    await untilTold(client, other, 'NotOffered');
    await giveAway(client, transfer);
    await expectTransferred(client, transfer);
    await untilAllIsSeen();
    expect((await client.until<Claim>(other)).spec.volumeName).toBeUndefined();
    await untilTold(client, other, 'NotOffered');
  });

  test('a claim of the source’s name that is made later is another one', async () => {
    const transfer = await makeTransfer(client);
    await offer(client, transfer);
    await giveAway(client, transfer);
    const { apiVersion, kind } = transfer.target;
    const { namespace = '', name } = transfer.source.metadata;
    const later = await client.create({ apiVersion, kind, metadata: { namespace, name }, spec: transfer.target.spec });
    await client.create(accepting(transfer));
    await expectTransferred(client, transfer);
    expect((await client.until<Claim>(later)).spec.volumeName).toBeUndefined();
  });
});

describe('a claim that accepts but cannot be given the volume is told why', () => {
  test.each([
    ['storageClassName', { storageClassName: 'other' }, 'storageClassName is "other", the volume\'s is "made-by-hand"'],
    ['accessModes', { accessModes: ['ReadWriteMany'] }, 'accessModes has ReadWriteMany, the volume has ReadWriteOnce'],
    ['resources', { resources: { requests: { storage: '2Gi' } } }, 'it asks for 2Gi, the volume has 1Gi'],
    ['volumeMode', { volumeMode: 'Block' }, 'volumeMode is "Block", the volume\'s is "Filesystem"'],
  ] as [string, Partial<Claim['spec']>, string][])('because its %s differs', async (_, spec, text) => {
    const transfer = await makeTransfer(client);
    await offer(client, transfer);
    const wrong = accepting(transfer);
    await client.create({ ...wrong, spec: { ...wrong.spec, ...spec } });
    expect((await untilTold(client, wrong, 'TargetDiffers')).message).toContain(text);
    await untilEvents(client, wrong, 'TargetDiffers');
    await giveAway(client, transfer);
    await untilVolume(client, transfer, 'pending');
    await client.delete(wrong);
    await client.untilGone(wrong);
    await client.create(accepting(transfer));
    await expectTransferred(client, transfer);
  });

  test('because it has a volume already', async () => {
    const transfer = await makeTransfer(client);
    const { metadata } = transfer.target;
    const claimRef = { ...transfer.volume.spec.claimRef, namespace: metadata.namespace ?? '', name: metadata.name };
    const own = { ...transfer.volume, metadata: { name: `${transfer.volume.metadata.name}-own` } };
    await client.create({ ...own, spec: { ...own.spec, claimRef, persistentVolumeReclaimPolicy: 'Retain' } });
    await client.create(accepting(transfer));
    const bound = await untilBound(client, transfer.target);
    expect(bound.spec.volumeName).toBe(own.metadata.name);
    await offer(client, transfer);
    await untilTold(client, transfer.target, 'TargetBound');
    await giveAway(client, transfer);
    await client.delete(bound);
    await client.untilGone(bound);
    await client.create(accepting(transfer));
    await expectTransferred(client, transfer);
  });
});

describe('a claim that cannot be given away is told why, and is as before', () => {
  test('because its volume is used with Secrets of its namespace', async () => {
    const { namespace = '' } = planTransfer().source.metadata;
    const nodePublishSecretRef = { namespace, name: 'key' };
    const csi = { driver: 'csi.example.com', volumeHandle: namespace, nodePublishSecretRef };
    const shape = { source: { namespace, name: 'data' }, volume: { csi, hostPath: undefined } };
    const transfer = await makeTransfer(client, undefined, shape);
    await offer(client, transfer);
    const { message } = await untilTold(client, transfer.source, 'SecretsInSourceNamespace');
    expect(message).toContain('copy the data instead');
    await untilAsBefore(client, transfer);
    const renamed = { ...transfer.source, metadata: { namespace, name: 'renamed' } };
    await offer(client, { source: transfer.source, target: renamed });
    await untilPending(client, transfer.source);
  });

  test('because it is offered to itself', async () => {
    const transfer = await makeTransfer(client);
    await offer(client, { source: transfer.source, target: transfer.source });
    await untilTold(client, transfer.source, 'Invalid');
    await untilAsBefore(client, transfer);
  });

  test('because its volume is being deleted', async () => {
    const transfer = await makeTransfer(client);
    await client.delete(transfer.volume);
    await offer(client, transfer);
    await untilTold(client, transfer.source, 'VolumeDeleting');
    expect((await volumeOf(client, transfer)).spec.persistentVolumeReclaimPolicy).toBe('Delete');
    await untilBound(client, transfer.source);
  });
});
