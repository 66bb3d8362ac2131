import { describe, expect, test } from '@jest/globals';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { displayName } from '../../lib/kubernetes/resources.ts';
import { makeTransfer, planTransfer } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { limitBy } from './case-objects.ts';
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
    await client.create(accepting(transfer));
    await client.untilGone(transfer.source);
    const { apiVersion, kind } = transfer.target;
    const { namespace = '', name } = transfer.source.metadata;
    const later = await client.create({ apiVersion, kind, metadata: { namespace, name }, spec: transfer.target.spec });
    await expectTransferred(client, transfer);
    expect((await client.until<Claim>(later)).spec.volumeName).toBeUndefined();
  });
});

const formerClass = { annotations: { 'volume.beta.kubernetes.io/storage-class': 'other' } } as Partial<Claim['spec']>;

describe('a claim that accepts but cannot be given the volume is told why', () => {
  test('because it asks for less than the volume has, which its quota would count', async () => {
    const transfer = await makeTransfer(client);
    const { namespace = '' } = transfer.target.metadata;
    await limitBy(client, namespace, { 'requests.storage': '100Mi' });
    await offer(client, transfer);
    const tiny = accepting(transfer);
    await client.create({ ...tiny, spec: { ...tiny.spec, resources: { requests: { storage: '1' } } } });
    await untilTold(client, tiny, 'RequestTooSmall');
    await giveAway(client, transfer);
    await untilTold(client, transfer.source, 'AwaitingAcceptance');
    expect((await client.until<Claim>(tiny)).spec.volumeName).toBeUndefined();
  });

  test.each([
    ['storageClassName', { storageClassName: 'other' }, 'storageClassName is "other", the volume\'s is "made-by-hand"'],
    ['accessModes', { accessModes: ['ReadWriteMany'] }, 'accessModes has ReadWriteMany, the volume has ReadWriteOnce'],
    ['resources', { resources: { requests: { storage: '2Gi' } } }, 'it requests 2Gi, the volume has 1Gi'],
    ['class by the former annotation', formerClass, 'storageClassName is "other", the volume\'s is "made-by-hand"'],
    ['volumeMode', { volumeMode: 'Block' }, 'volumeMode is "Block", the volume\'s is "Filesystem"'],
  ] as [string, Partial<Claim['spec']>, string][])('because its %s differs', async (_, spec, text) => {
    const transfer = await makeTransfer(client);
    await offer(client, transfer);
    const wrong = accepting(transfer);
    const { annotations, ...fields } = spec as Partial<Claim['spec']> & { annotations?: Record<string, string> };
    const metadata = { ...wrong.metadata, annotations: { ...wrong.metadata.annotations, ...annotations } };
    await client.create({ ...wrong, metadata, spec: { ...wrong.spec, ...fields } });
    expect((await untilTold(client, wrong, 'TargetDiffers')).message).toContain(text);
    await untilEvents(client, wrong, 'TargetDiffers');
    await giveAway(client, transfer);
    await untilVolume(client, transfer, 'pending');
    await untilTold(client, transfer.source, 'AwaitingAcceptance');
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

test('a claim that somebody offers theirs to, unasked, can be given away like any other', async () => {
  const [transfer, strange] = [await makeTransfer(client), await makeTransfer(client)];
  await offer(client, { source: strange.source, target: transfer.source });
  await untilPending(client, strange.source);
  await client.create(accepting(transfer));
  await offer(client, transfer);
  await giveAway(client, transfer);
  await expectTransferred(client, transfer);
});

/** Another step says when the data of a claim is there, which may be a moment later. */
function apartFromData({ metadata, spec, status }: Claim): object {
  const { annotations, finalizers, labels, uid, deletionTimestamp } = metadata;
  const conditions = status?.conditions?.filter(({ type }) => type !== 'DataPopulated') ?? [];
  return { annotations, finalizers, labels, uid, deletionTimestamp, spec, phase: status?.phase, conditions };
}

test('a claim that has what it accepted is left alone when a source is made anew with the same annotation', async () => {
  const transfer = await makeTransfer(client);
  await offer(client, transfer);
  await client.create(accepting(transfer));
  await giveAway(client, transfer);
  const target = await expectTransferred(client, transfer);
  await client.untilGone(transfer.source);
  const { apiVersion, kind, metadata, spec } = transfer.source;
  const annotations = { transferRequest: displayName(transfer.target.metadata) };
  const place = { namespace: metadata.namespace ?? '', name: metadata.name };
  const { volumeName: _, ...wish } = spec;
  const anew = await client.create({ apiVersion, kind, metadata: { ...place, annotations }, spec: wish });
  const claimRef = { apiVersion, kind, ...place };
  const name = `${transfer.volume.metadata.name}-anew`;
  await client.create({ ...transfer.volume, metadata: { name }, spec: { ...transfer.volume.spec, claimRef } });
  const { message } = await untilTold(client, anew, 'DestinationTaken');
  expect(message).not.toMatch(/delete|again/);
  expect(apartFromData(await client.until<Claim>(transfer.target))).toEqual(apartFromData(target));
});

describe('a claim that cannot be given away is told why, and is as before', () => {
  test('because the namespace that it is offered to is not there', async () => {
    const transfer = await makeTransfer(client);
    const target = { ...transfer.target, metadata: { namespace: 'mistyped', name: 'data' } };
    await offer(client, { source: transfer.source, target });
    const { message } = await untilTold(client, transfer.source, 'NamespaceMissing');
    expect(message).toContain('namespace mistyped does not exist');
    await untilAsBefore(client, transfer);
    await expect(client.delete(transfer.source)).rejects.toThrow('its volume is not safe yet');
  });

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
