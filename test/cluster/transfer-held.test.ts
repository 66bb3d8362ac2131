import { expect, test } from '@jest/globals';
import type { Claim, TransferApproval, TransferRequest } from '../../lib/kubernetes/objects.ts';
import { consent, makeTransfer, type Transfer, untilComplete } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { bare } from './case-drivers.ts';
import { runLongshore } from './case-longshore.ts';
import { deletePod, dropFinalizer, limitBy, podUsing, takeName } from './case-objects.ts';
import { expectMoved, untilAsBefore, untilReason, untilTold } from './case-waits.ts';

const client = testClient();
const longshore = runLongshore();
const hold = 'example.com/hold';
const namespaceOf = ({ target }: Transfer) => target.metadata.namespace ?? '';

/** Somebody else asks for the same claim, and is agreed to as well. */
async function makeRival({ request, approval, source, ...rest }: Transfer): Promise<Transfer> {
  const name = `rival-${request.metadata.name}`;
  const namespace = `rival-${request.metadata.namespace}`;
  await client.createNamespace(namespace);
  const rival: TransferRequest = {
    ...request,
    metadata: { namespace, name },
    spec: { ...request.spec, approvalName: name },
  };
  const agreed: TransferApproval = {
    ...approval,
    metadata: { ...approval.metadata, name },
    spec: { ...approval.spec, targetNamespace: namespace, requestName: name },
  };
  const target: Claim = { ...rest.target, metadata: { ...rest.target.metadata, namespace } };
  return { ...rest, source, request: rival, approval: agreed, target };
}

async function expectRivalServed(transfer: Transfer): Promise<void> {
  const rival = await makeRival(transfer);
  await consent(client, rival);
  await untilComplete(client, rival);
  await expectMoved(client, rival);
}

test('a request that its own quota refuses holds the source against nobody', async () => {
  const transfer = await makeTransfer(client);
  await limitBy(client, namespaceOf(transfer), { persistentvolumeclaims: '0' });
  await consent(client, transfer);
  await untilReason(client, transfer.request, 'TargetRefused');
  await untilAsBefore(client, transfer);
  await longshore.resync();
  await expectRivalServed(transfer);
});

test('what has been refused is tried out without a change of anything, and goes on when there is room', async () => {
  const transfer = await makeTransfer(client);
  const quota = await limitBy(client, namespaceOf(transfer), { persistentvolumeclaims: '0' });
  await consent(client, transfer);
  await untilReason(client, transfer.request, 'TargetRefused');
  await untilAsBefore(client, transfer);
  const versions = async () => {
    const found = await Promise.all(
      [transfer.source, transfer.volume].map((each) => client.get<Claim>(bare(each as Claim))),
    );
    return found.map((each) => each?.metadata.resourceVersion);
  };
  const before = await versions();
  // A second transfer that is made from its beginning to its end lies behind all that the resync made of the first.
  await longshore.resync();
  const marker = await makeTransfer(client);
  await consent(client, marker);
  await untilComplete(client, marker);
  expect(await versions()).toEqual(before);
  await client.delete(quota);
  await longshore.resync();
  await untilComplete(client, transfer);
  await expectMoved(client, transfer);
});

test('a target that its owner deletes and holds keeps the source from nobody', async () => {
  const transfer = await makeTransfer(client);
  const pod = podUsing(transfer.source, 'node');
  await client.create(pod);
  await consent(client, transfer);
  await untilReason(client, transfer.request, 'SourceInUse');
  const target = bare(transfer.target);
  const { metadata } = await client.until<Claim>(target);
  await client.change(target, { metadata: { finalizers: [...(metadata.finalizers ?? []), hold] } });
  await client.delete(target);
  // A worker that has read the target before would pass the point of no return as soon as no pod uses the source.
  await untilReason(client, transfer.request, 'TargetDeleting');
  await deletePod(client, pod);
  // That a pod has gone is not watched.
  await longshore.resync();
  await expectRivalServed(transfer);
  await dropFinalizer(client, target, hold);
});

test('a deleted source that is held as the target of its transfer is refused says so, and its owner gets it back', async () => {
  const transfer = await makeTransfer(client);
  const pod = podUsing(transfer.source, 'node');
  await client.create(pod);
  await consent(client, transfer);
  await untilReason(client, transfer.request, 'SourceInUse');
  const quota = await limitBy(client, namespaceOf(transfer), { persistentvolumeclaims: '0' });
  await client.delete(bare(transfer.source));
  await client.delete(bare(transfer.target));
  await deletePod(client, pod);
  const { message } = await untilTold(client, transfer.source, 'TargetRefused');
  expect(message).toContain('revoke the approval or the ReferenceGrant');
  await client.delete(transfer.approval);
  const told = await untilTold(client, transfer.source, 'TransferWithdrawn');
  expect(told.message).toContain('offer it to a claim with another name in this namespace');
  await client.delete(quota);
});

test('a deleted source that is held as the name of its target is taken says so, and moves when it is free', async () => {
  const transfer = await makeTransfer(client);
  const pod = podUsing(transfer.source, 'node');
  await client.create(pod);
  await consent(client, transfer);
  await untilReason(client, transfer.request, 'SourceInUse');
  await client.delete(bare(transfer.source));
  const taken = await takeName(client, transfer);
  await deletePod(client, pod);
  await longshore.resync();
  await untilTold(client, transfer.source, 'TargetExists');
  await client.delete(taken);
  await untilComplete(client, transfer);
  await expectMoved(client, transfer);
});
