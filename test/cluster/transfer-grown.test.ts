import { describe, expect, test } from '@jest/globals';
import { consent, makeTransfer, type Transfer, untilComplete } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { bare, changeStatus, driverName, makeAttributes, makeGrowing } from './case-drivers.ts';
import { runLongshore } from './case-longshore.ts';
import { needs } from './case-needs.ts';
import { deletePod, dropFinalizer, limitBy, podUsing } from './case-objects.ts';
import { accepting, expectTransferred, offer, untilPending } from './case-offers.ts';
import { expectMoved, untilDeleting, untilReason, untilTold, volumeOf } from './case-waits.ts';

const client = testClient();
const longshore = runLongshore();
const { test: testAttributes } = needs('VolumeAttributesClass');
const hold = 'example.com/hold';

/** The source's it is still, whatever the namespace of the target would count. */
async function expectNotMoved(transfer: Transfer): Promise<void> {
  await longshore.resync();
  const { source, target } = transfer;
  expect((await volumeOf(client, transfer)).spec.claimRef?.uid).toBe(source.metadata.uid);
  expect((await client.get(bare(target)))?.status?.phase).not.toBe('Bound');
}

const namespaceOf = ({ target }: Transfer) => target.metadata.namespace ?? '';

describe('a quota counts what a claim gets, when the volume has grown', () => {
  test('while a pod used the source', async () => {
    const { transfer, grow, hasGrown } = await makeGrowing(client);
    const quota = await limitBy(client, namespaceOf(transfer), { 'requests.storage': '1536Mi' });
    const pod = podUsing(transfer.source, 'node');
    await client.create(pod);
    await consent(client, transfer);
    await untilReason(client, transfer.request, 'SourceInUse');
    await grow();
    await hasGrown();
    await deletePod(client, pod);
    await longshore.resync();
    const { message } = await untilReason(client, transfer.request, 'TargetRefused');
    expect(message).toContain('exceeded quota');
    await expectNotMoved(transfer);
    await client.delete(quota);
    await longshore.resync();
    await untilComplete(client, transfer);
    expect((await expectMoved(client, transfer)).spec.resources?.requests?.storage).toBe('2Gi');
  });

  test('after the point of no return, of a source that its owner holds', async () => {
    const { transfer, grow, hasGrown } = await makeGrowing(client, { metadata: { finalizers: [hold] } });
    await limitBy(client, namespaceOf(transfer), { 'requests.storage': '1536Mi' });
    await consent(client, transfer);
    await untilDeleting(client, bare(transfer.source));
    await grow();
    await hasGrown();
    await dropFinalizer(client, bare(transfer.source), hold);
    await untilReason(client, transfer.request, 'TargetRefused');
    await expectNotMoved(transfer);
  });

  test('while a claim that accepts waited', async () => {
    const { transfer, grow, hasGrown } = await makeGrowing(client);
    await offer(client, transfer);
    await client.create(accepting(transfer));
    await untilPending(client, transfer.target);
    await grow();
    const { message } = await untilTold(client, transfer.target, 'RequestTooSmall');
    expect(message).toContain('the claim that offers the volume requests 2Gi');
    await hasGrown();
    await client.delete(bare(transfer.source));
    await expectNotMoved(transfer);
    await client.delete(transfer.target);
    await client.untilGone(transfer.target);
    const larger = accepting(transfer);
    await client.create({ ...larger, spec: { ...larger.spec, resources: { requests: { storage: '2Gi' } } } });
    await expectTransferred(client, transfer);
  });
});

test('a claim that was offered and deleted while its driver makes the volume larger keeps it until that is done', async () => {
  const { transfer, grow, hasGrown } = await makeGrowing(client);
  await offer(client, transfer);
  const larger = accepting(transfer);
  await client.create({ ...larger, spec: { ...larger.spec, resources: { requests: { storage: '1Gi' } } } });
  await untilPending(client, transfer.target);
  await changeStatus(transfer.source, { conditions: [{ type: 'Resizing', status: 'True' }] });
  await grow();
  await client.delete(bare(transfer.source));
  await untilTold(client, transfer.source, 'VolumeResizing');
  await expectNotMoved(transfer);
  await hasGrown();
  await changeStatus(transfer.source, { capacity: { storage: '2Gi' }, conditions: null });
  await untilTold(client, transfer.target, 'RequestTooSmall');
  await expectNotMoved(transfer);
});

testAttributes(
  'a quota for an attributes class counts a volume that was given the class while the transfer waited',
  async () => {
    const gold = await makeAttributes(client, 'gold');
    const csi = { driver: driverName, volumeHandle: gold };
    const transfer = await makeTransfer(client, undefined, { volume: { csi, hostPath: undefined } });
    const matchExpressions = [{ scopeName: 'VolumeAttributesClass', operator: 'In', values: [gold] }];
    const spec = { hard: { persistentvolumeclaims: '0' }, scopeSelector: { matchExpressions } };
    const metadata = { namespace: namespaceOf(transfer), name: 'gold' };
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec };
    await client.create(quota);
    await client.until<typeof quota & { status?: { hard?: object } }>(
      quota,
      ({ status }) => status?.hard !== undefined,
    );
    const pod = podUsing(transfer.source, 'node');
    await client.create(pod);
    await consent(client, transfer);
    await untilReason(client, transfer.request, 'SourceInUse');
    await client.change(bare(transfer.source), { spec: { volumeAttributesClassName: gold } });
    await client.change(transfer.volume, { spec: { volumeAttributesClassName: gold } });
    await deletePod(client, pod);
    await longshore.resync();
    await untilReason(client, transfer.request, 'TargetRefused');
    await expectNotMoved(transfer);
  },
);
