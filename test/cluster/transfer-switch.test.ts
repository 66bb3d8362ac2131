import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type ClusterClient, consent, makeTransfer, untilComplete } from '../support/cluster-client.ts';
import { ownControlPlane } from './case-control-plane.ts';
import { runLongshore } from './case-longshore.ts';
import { deletePod, podUsing } from './case-objects.ts';
import { accepting, expectTransferred, giveAway, offer, untilPending } from './case-offers.ts';
import { expectMoved, untilAsBefore, untilDeleting, untilReason, untilTold } from './case-waits.ts';

const controlPlane = ownControlPlane();
const longshore = runLongshore(controlPlane.kubeconfig);
const settings = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'longshore-system', name: 'longshore' },
};
let client: ClusterClient;
beforeAll(() => {
  client = controlPlane.client();
});
afterEach(() => client.delete(settings));

function set(data: Record<string, string>): Promise<object> {
  return client.create({ ...settings, data });
}

async function turnOn(): Promise<void> {
  await client.delete(settings);
  await longshore.resync();
}

describe('transfers by request', () => {
  test('do not begin while they are off, and do when they are on again', async () => {
    await set({ 'transfers-by-request': 'off' });
    const transfer = await makeTransfer(client);
    await consent(client, transfer);
    const { message } = await untilReason(client, transfer.request, 'TransfersOff');
    expect(message).toBe(
      'transfers-by-request is off in ConfigMap longshore-system/longshore: an administrator of the cluster can turn it on',
    );
    await untilReason(client, transfer.approval, 'TransfersOff');
    await untilAsBefore(client, transfer);
    await turnOn();
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
  });

  test('do not begin while nobody can tell whether they are on', async () => {
    await set({ 'transfers-by-request': 'no' });
    const transfer = await makeTransfer(client);
    await consent(client, transfer);
    const { message } = await untilReason(client, transfer.request, 'TransfersOff');
    expect(message).toContain('is "no" in ConfigMap longshore-system/longshore, but must be on or off');
  });

  test('that have begun are taken back before the point of no return', async () => {
    const transfer = await makeTransfer(client);
    const pod = podUsing(transfer.source);
    await client.create(pod);
    await consent(client, transfer);
    await untilReason(client, transfer.request, 'SourceInUse');
    await set({ 'transfers-by-request': 'off' });
    await longshore.resync();
    await untilReason(client, transfer.request, 'TransfersOff');
    await untilAsBefore(client, transfer);
    await deletePod(client, pod);
    await turnOn();
    await untilComplete(client, transfer);
  });

  test('that have passed the point of no return are finished', async () => {
    const finalizers = ['example.com/hold'];
    const transfer = await makeTransfer(client, undefined, { metadata: { finalizers } });
    await consent(client, transfer);
    await untilDeleting(client, transfer.source);
    await set({ 'transfers-by-request': 'off' });
    await client.change(transfer.source, { metadata: { finalizers: ['longshore.dev/transfer'] } });
    await untilComplete(client, transfer);
    await expectMoved(client, transfer);
  });

  test('go on while only those by annotation are off', async () => {
    await set({ 'transfers-by-annotation': 'off' });
    const transfer = await makeTransfer(client);
    await consent(client, transfer);
    await untilComplete(client, transfer);
  });
});

describe('transfers by annotation', () => {
  test('do not begin while they are off, and do when they are on again', async () => {
    await set({ 'transfers-by-annotation': 'off' });
    const transfer = await makeTransfer(client);
    await offer(client, transfer);
    const { message } = await untilTold(client, transfer.source, 'TransfersOff');
    expect(message).toContain('transfers-by-annotation is off in ConfigMap longshore-system/longshore');
    await untilAsBefore(client, transfer);
    await client.create(accepting(transfer));
    await untilTold(client, transfer.target, 'TransfersOff');
    await turnOn();
    await giveAway(client, transfer);
    await expectTransferred(client, transfer);
  });

  test('do not give away what is turned off meanwhile, keep it safe, and give it away when they are on again', async () => {
    const transfer = await makeTransfer(client);
    await offer(client, transfer);
    await untilPending(client, transfer.source);
    await set({ 'transfers-by-annotation': 'off' });
    await giveAway(client, transfer);
    await client.create(accepting(transfer));
    await untilTold(client, transfer.target, 'TransfersOff');
    const volume = await client.until<typeof transfer.volume>(transfer.volume);
    expect(volume.spec.persistentVolumeReclaimPolicy).toBe('Retain');
    await turnOn();
    await expectTransferred(client, transfer);
  });
});
