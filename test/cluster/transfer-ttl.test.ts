import { expect, test } from '@jest/globals';
import type { TransferRequest } from '../../lib/kubernetes/objects.ts';
import { consent, makeTransfer, untilComplete } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { expectMoved, untilReason } from './case-waits.ts';

const client = testClient();
const longshore = runLongshore();
const ttlSecondsAfterFinished = 1;

test('request and approval go when they have been complete for as long as they say, and the target stays', async () => {
  const transfer = await makeTransfer(client);
  const { request, approval } = transfer;
  const brief = {
    ...transfer,
    request: { ...request, spec: { ...request.spec, ttlSecondsAfterFinished } },
    approval: { ...approval, spec: { ...approval.spec, ttlSecondsAfterFinished } },
  };
  await consent(client, brief);
  const lasting = await makeTransfer(client);
  await consent(client, lasting);
  await untilComplete(client, lasting);
  const { metadata } = await expectMoved(client, transfer);
  const finished = await client.until<TransferRequest>(request, ({ status }) => status?.complete === true);
  const since = Date.parse(
    finished.status?.conditions?.find(({ type }) => type === 'Complete')?.lastTransitionTime ?? '',
  );
  await client.until(transfer.target, () => Date.now() > since + 2 * ttlSecondsAfterFinished * 1000);
  await longshore.resync();
  await client.untilGone(request);
  await client.untilGone(approval);
  expect((await expectMoved(client, transfer)).metadata.uid).toBe(metadata.uid);
  await untilComplete(client, lasting);
});

test('what is not complete stays, however long it takes', async () => {
  const { request } = await makeTransfer(client);
  await client.create({ ...request, spec: { ...request.spec, ttlSecondsAfterFinished: 0 } });
  await untilReason(client, request, 'ApprovalMissing');
  await longshore.resync();
  const marker = await makeTransfer(client);
  await consent(client, marker);
  await untilComplete(client, marker);
  expect((await client.until<TransferRequest>(request)).metadata.deletionTimestamp).toBeUndefined();
});
