import { describe, expect, test } from '@jest/globals';
import type { Claim } from '../../lib/kubernetes/objects.ts';
import { consent, makeTransfer, type Transfer, untilComplete } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { limitBy, namespaceOf } from './case-objects.ts';
import { refusing } from './case-policy.ts';
import { expectMoved, untilBound, untilError, untilEvents, untilReason, volumeOf } from './case-waits.ts';

const client = testClient();
const longshore = runLongshore();

async function expectNothingDestroyed(transfer: Transfer): Promise<void> {
  expect((await untilBound(client, transfer.source)).metadata.deletionTimestamp).toBeUndefined();
  expect((await volumeOf(client, transfer)).spec.persistentVolumeReclaimPolicy).toBe('Delete');
  expect(await client.get(transfer.target)).toBeUndefined();
}

async function expectRefused(transfer: Transfer, text: string): Promise<void> {
  await consent(client, transfer);
  expect(await untilError(client, transfer, 'TargetRefused')).toContain(text);
  await untilReason(client, transfer.approval, 'TargetRefused');
  await untilEvents(client, transfer.request, 'TargetRefused');
  await expectNothingDestroyed(transfer);
}

async function expectGoesOn(transfer: Transfer): Promise<void> {
  await longshore.resync();
  await untilComplete(client, transfer);
  await expectMoved(client, transfer);
}

describe('what the side of the target does not allow fails before anything is destroyed, and goes on when it does', () => {
  test.each([
    ['a quota of claims', { persistentvolumeclaims: '0' }, { persistentvolumeclaims: '1' }],
    ['a quota of storage', { 'requests.storage': '900Mi' }, { 'requests.storage': '1Gi' }],
    [
      'a quota of a storage class',
      { 'made-by-hand.storageclass.storage.k8s.io/requests.storage': '0' },
      { 'made-by-hand.storageclass.storage.k8s.io/requests.storage': '1Gi' },
    ],
  ] as [string, Record<string, string>, Record<string, string>][])('%s that is raised later', async (_, low, high) => {
    const transfer = await makeTransfer(client);
    const quota = await limitBy(client, transfer.target.metadata.namespace ?? '', low);
    await expectRefused(transfer, 'exceeded quota: few');
    await client.change(quota, { spec: { hard: high } });
    await client.until<typeof quota & { status?: { hard?: object } }>(
      quota,
      ({ status }) => JSON.stringify(status?.hard) === JSON.stringify(high),
    );
    await expectGoesOn(transfer);
  });

  test('a limit range that is taken away later', async () => {
    const transfer = await makeTransfer(client);
    const { namespace = '' } = transfer.target.metadata;
    const limits = [{ type: 'PersistentVolumeClaim', max: { storage: '500Mi' } }];
    const range = { apiVersion: 'v1', kind: 'LimitRange', metadata: { namespace, name: 'small' }, spec: { limits } };
    await client.create(range);
    await expectRefused(transfer, 'maximum storage usage per PersistentVolumeClaim is 500Mi');
    await client.delete(range);
    await expectGoesOn(transfer);
  });

  test('an admission policy that is taken away later', async () => {
    const transfer = await makeTransfer(client);
    const policy = await refusing(client, transfer.target, 'CREATE');
    await expectRefused(transfer, 'no claims here');
    await policy.remove();
    await expectGoesOn(transfer);
  });
});

test('an admission policy that keeps the source as it is keeps the transfer from beginning, and says so', async () => {
  const transfer = await makeTransfer(client);
  const policy = await refusing(client, transfer.source, 'UPDATE');
  await consent(client, transfer);
  expect(await untilError(client, transfer, 'WriteRefused')).toMatch(/^the source cannot be changed: .*no claims here/);
  await expectNothingDestroyed(transfer);
  await policy.remove();
  await expectGoesOn(transfer);
});

test('a namespace of the target that is being deleted takes the request with it, and the source stays', async () => {
  const transfer = await makeTransfer(client);
  await client.create(transfer.request);
  await untilReason(client, transfer.request, 'ApprovalMissing');
  // Something in it that goes late, so that the namespace is there and takes nothing any more.
  const { namespace = '' } = transfer.target.metadata;
  const finalizers = ['example.com/hold'];
  const late = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'late', finalizers } };
  await client.create(late);
  await client.change(transfer.request, { metadata: { finalizers } });
  await client.delete(namespaceOf(transfer.target));
  await client.until<Claim>(transfer.request as never, ({ metadata }) => metadata.deletionTimestamp !== undefined);
  await client.create(transfer.approval);
  await longshore.resync();
  await expectNothingDestroyed(transfer);
  for (const held of [late, transfer.request]) await client.change(held, { metadata: { finalizers: null } });
  await client.untilGone(namespaceOf(transfer.target));
  await untilReason(client, transfer.approval, 'RequestMissing');
  await expectNothingDestroyed(transfer);
});
