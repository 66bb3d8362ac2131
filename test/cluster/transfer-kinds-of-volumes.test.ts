import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { storageClass } from '../../tools/local/transfer-objects.ts';
import { consent, makeNamespaces, makeTransfer, planTransfer, untilComplete } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { changeStatus, driverName, makeAttributes, makeGrowing } from './case-drivers.ts';
import { runLongshore } from './case-longshore.ts';
import { needs } from './case-needs.ts';
import { expectMoved, untilBound, untilReason, volumeOf } from './case-waits.ts';

const client = testClient();
runLongshore();
const { test: testAttributes } = needs('VolumeAttributesClass');
const suffix = randomBytes(4).toString('hex');

describe('a claim is moved as what it is', () => {
  test.each([
    ['a block device', { volumeMode: 'Block' }],
    ['a filesystem that many nodes write', { accessModes: ['ReadWriteMany'] }],
    ['a filesystem of a single pod', { accessModes: ['ReadWriteOncePod'] }],
    ['one without a storage class', { storageClassName: '' }],
  ] as [string, Partial<Claim['spec']>][])('%s', async (_, both) => {
    const transfer = await makeTransfer(client, undefined, { both });
    await consent(client, transfer);
    await untilComplete(client, transfer);
    const target = await expectMoved(client, transfer);
    expect(target.spec).toEqual({ ...transfer.source.spec, volumeName: transfer.volume.metadata.name });
  });

  testAttributes('one with a class of volume attributes', async () => {
    const name = await makeAttributes(client, 'quick');
    const csi = { driver: driverName, volumeHandle: name };
    const shape = { both: { volumeAttributesClassName: name }, volume: { csi, hostPath: undefined } };
    const transfer = await makeTransfer(client, undefined, shape);
    await consent(client, transfer);
    await untilComplete(client, transfer);
    expect((await expectMoved(client, transfer)).spec.volumeAttributesClassName).toBe(name);
  });

  test('one that was restored from a snapshot, without its data source', async () => {
    const dataSourceRef = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'monday' };
    const planned = planTransfer();
    await makeNamespaces(client, planned);
    await client.create(planned.volume);
    await client.create({ ...planned.source, spec: { ...planned.source.spec, dataSourceRef } });
    await untilBound(client, planned.source);
    await consent(client, planned);
    await untilComplete(client, planned);
    const { spec } = await expectMoved(client, planned);
    expect(spec.dataSourceRef).toBeUndefined();
  });
});

test('a claim that waits for its first pod is moved once it has been bound, without the node that was chosen', async () => {
  const className = `later-${suffix}`;
  await client.create({ ...storageClass(className), volumeBindingMode: 'WaitForFirstConsumer' });
  const planned = planTransfer({ both: { storageClassName: className }, volume: { claimRef: undefined } });
  await makeNamespaces(client, planned);
  await client.create(planned.volume);
  const source = await client.create(planned.source);
  await consent(client, planned);
  const { message } = await untilReason(client, planned.request, 'SourceNotBound');
  expect(message).toContain('With WaitForFirstConsumer, a pod has to use the claim first');
  expect((await client.until<Claim>(source)).status?.phase).toBe('Pending');
  // What the scheduler does for the first pod of a claim that a volume is there for.
  const { apiVersion, kind, metadata } = source;
  const claimRef = { apiVersion, kind, namespace: metadata.namespace, name: metadata.name, uid: metadata.uid };
  await client.annotate(source, { 'volume.kubernetes.io/selected-node': 'node-1' });
  await client.change(planned.volume, { spec: { claimRef } });
  await untilComplete(client, planned);
  const target = await expectMoved(client, planned);
  expect(Object.keys(target.metadata.annotations ?? {})).not.toContain('volume.kubernetes.io/selected-node');
  expect(target.spec.storageClassName).toBe(className);
});

describe('a volume that its driver is changing', () => {
  test('in size is moved when it has been', async () => {
    const { transfer, grow } = await makeGrowing(client);
    await grow();
    const conditions = [{ type: 'Resizing', status: 'True' }];
    const allocatedResourceStatuses = { storage: 'ControllerResizeInProgress' };
    const allocatedResources = { storage: '2Gi' };
    await changeStatus(transfer.source, { conditions, allocatedResources, allocatedResourceStatuses });
    await consent(client, transfer);
    const { message } = await untilReason(client, transfer.request, 'VolumeResizing');
    expect(message).toContain(`volume ${transfer.volume.metadata.name} is being resized to 2Gi`);
    expect((await volumeOf(client, transfer)).spec.claimRef?.uid).toBe(transfer.source.metadata.uid);
    // What the resizer of a driver writes, in this order.
    await client.change(transfer.volume, { spec: { capacity: { storage: '2Gi' } } });
    const capacity = { storage: '2Gi' };
    await changeStatus(transfer.source, { capacity, conditions: null, allocatedResourceStatuses: null });
    await untilComplete(client, transfer);
    const target = await expectMoved(client, transfer);
    expect(target.spec.resources?.requests?.storage).toBe('2Gi');
  });

  testAttributes('in its attributes is moved when it has been', async () => {
    const volumeAttributesClassName = await makeAttributes(client, 'slow');
    const csi = { driver: driverName, volumeHandle: volumeAttributesClassName };
    const transfer = await makeTransfer(client, undefined, { volume: { csi, hostPath: undefined } });
    await client.change(transfer.source, { spec: { volumeAttributesClassName } });
    const modifyVolumeStatus = { targetVolumeAttributesClassName: volumeAttributesClassName, status: 'InProgress' };
    await changeStatus(transfer.source, { modifyVolumeStatus });
    await consent(client, transfer);
    await untilReason(client, transfer.request, 'VolumeModifying');
    await client.change(transfer.volume, { spec: { volumeAttributesClassName } });
    const currentVolumeAttributesClassName = volumeAttributesClassName;
    await changeStatus(transfer.source, { currentVolumeAttributesClassName, modifyVolumeStatus: null });
    await untilComplete(client, transfer);
    expect((await expectMoved(client, transfer)).spec.volumeAttributesClassName).toBe(volumeAttributesClassName);
  });

  test('only at its next chance is moved before, with the size that is asked for', async () => {
    const { transfer, grow } = await makeGrowing(client);
    await grow();
    await consent(client, transfer);
    await untilComplete(client, transfer);
    const target = await expectMoved(client, transfer);
    expect(target.spec.resources?.requests?.storage).toBe('2Gi');
    expect(target.status).toMatchObject({ phase: 'Bound', capacity: { storage: '1Gi' } });
  });
});
