import { describe, expect, test } from '@jest/globals';
import { makeTransfer, untilComplete } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { untilAsBefore, untilReason } from './case-waits.ts';

const client = testClient();
runLongshore();

describe('what does not fit together is told so', () => {
  test('an approval whose request is not there, and one that the request does not name', async () => {
    const { request, approval, ...transfer } = await makeTransfer(client);
    await client.create(approval);
    const missing = await untilReason(client, approval, 'RequestMissing');
    expect(missing.message).toContain('the side that wants the claim must create it');
    const other = { ...request, spec: { ...request.spec, approvalName: 'other' } };
    await client.create(other);
    const differing = await untilReason(client, approval, 'RequestDiffers');
    expect(differing.message).toContain('names approval "other": delete this approval');
    await untilReason(client, request, 'ApprovalMissing');
    const fitting = { ...approval, metadata: { ...approval.metadata, name: 'other' } };
    await client.create(fitting);
    await untilComplete(client, { ...transfer, request, approval: fitting });
    await untilReason(client, approval, 'RequestDiffers');
  });

  test.each([
    ['requestName', { requestName: 'other' }],
    ['targetNamespace', { targetNamespace: 'other' }],
    ['source.name', { source: { kind: 'PersistentVolumeClaim', name: 'other' } }],
  ])('an approval with another %s', async (_, difference) => {
    const transfer = await makeTransfer(client);
    const { approval, request } = transfer;
    await client.create({ ...approval, spec: { ...approval.spec, ...difference } });
    await client.create(request);
    // What is approved for another namespace is nobody's business here, not even that it is there.
    const isForeign = 'targetNamespace' in difference;
    const { message } = await untilReason(client, request, isForeign ? 'ApprovalMissing' : 'ApprovalDiffers');
    const name = `${approval.metadata.namespace}/${approval.metadata.name}`;
    expect(message).toContain(
      isForeign ? `there is no StorageTransferApproval ${name}` : `approval ${name} does not match`,
    );
    await untilReason(client, approval, 'source' in difference ? 'ApprovalDiffers' : 'RequestMissing');
    await untilAsBefore(client, transfer);
    await client.delete(approval);
    await client.create(approval);
    await untilComplete(client, transfer);
  });
});

test('a request is told at once when the approval that it waits for comes and differs', async () => {
  const { request, approval } = await makeTransfer(client);
  await client.create(request);
  await untilReason(client, request, 'ApprovalMissing');
  await client.create({ ...approval, spec: { ...approval.spec, requestName: 'other' } });
  await untilReason(client, request, 'ApprovalDiffers');
});

test('an approval of a stranger does not learn whether there is a request of the name that it guesses', async () => {
  const { request, approval } = await makeTransfer(client);
  await client.create(request);
  await untilReason(client, request, 'ApprovalMissing');
  const stranger = `stranger-${approval.metadata.namespace}`;
  await client.createNamespace(stranger);
  const guess = (name: string, requestName: string) => ({
    ...approval,
    metadata: { namespace: stranger, name },
    spec: { ...approval.spec, requestName },
  });
  const said = [];
  for (const each of [guess('there', request.metadata.name), guess('not-there', 'nothing')]) {
    await client.create(each);
    const { reason, message } = await untilReason(client, each, 'RequestMissing');
    said.push([reason, message.replace(each.spec.requestName, '<name>')]);
  }
  expect(said[0]).toEqual(said[1]);
});

test('an approval of a stranger does not learn whether there is a request of the name that it guesses', async () => {
  const { request, approval } = await makeTransfer(client);
  await client.create(request);
  await untilReason(client, request, 'ApprovalMissing');
  const stranger = `stranger-${approval.metadata.namespace}`;
  await client.createNamespace(stranger);
  const guess = (name: string, requestName: string) => ({
    ...approval,
    metadata: { namespace: stranger, name },
    spec: { ...approval.spec, requestName },
  });
  const said = [];
  for (const each of [guess('there', request.metadata.name), guess('not-there', 'nothing')]) {
    await client.create(each);
    const { reason, message } = await untilReason(client, each, 'RequestMissing');
    said.push([reason, message.replace(each.spec.requestName, '<name>')]);
  }
  expect(said[0]).toEqual(said[1]);
});
