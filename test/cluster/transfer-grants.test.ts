import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ClusterObject, TransferRequest } from '../../lib/kubernetes/objects.ts';
import { type ClusterClient, makeTransfer, type Transfer } from '../support/cluster-client.ts';
import { ownControlPlane } from './case-control-plane.ts';
import { grantFor, serveGrants, type Version, versions, withoutApproval } from './case-grants.ts';
import { runLongshore } from './case-longshore.ts';
import { deletePod, podUsing } from './case-objects.ts';
import { expectMoved, untilAsBefore, untilEvents, untilReason } from './case-waits.ts';

const controlPlane = ownControlPlane();
let client: ClusterClient;
beforeAll(() => {
  client = controlPlane.client();
});

async function make(): Promise<Transfer> {
  return withoutApproval(await makeTransfer(client));
}

async function expectComplete(transfer: Transfer): Promise<void> {
  await client.until<TransferRequest>(transfer.request, ({ status }) => status?.complete === true);
  await expectMoved(client, transfer);
}

describe('a cluster without the kind ReferenceGrant', () => {
  runLongshore(controlPlane.kubeconfig);

  test('has no grants: a request that names no approval waits', async () => {
    const transfer = await make();
    await client.create(transfer.request);
    const { message } = await untilReason(client, transfer.request, 'ApprovalMissing');
    expect(message).toContain('no ReferenceGrant of namespace');
  });
});

describe.each(versions)('where grants are served as %s', (version: Version) => {
  let served: ClusterObject;
  beforeAll(async () => {
    served = await serveGrants(client, version);
  });
  const longshore = runLongshore(controlPlane.kubeconfig);
  afterAll(async () => {
    await client.delete(served);
    await client.untilGone(served);
  });

  test('a grant for all claims approves, whichever comes first', async () => {
    const first = await make();
    await client.create(grantFor(first, version));
    await client.create(first.request);
    await expectComplete(first);
    const second = await make();
    await client.create(second.request);
    await untilReason(client, second.request, 'ApprovalMissing');
    await client.create(grantFor(second, version));
    await expectComplete(second);
    await untilEvents(client, second.request, 'ApprovalMissing', 'Complete');
  });

  test('a grant without a spec approves nothing, and keeps nobody from being heard', async () => {
    const transfer = await make();
    const { spec, ...empty } = grantFor(transfer, version);
    await client.create(empty);
    await client.create(transfer.request);
    await untilReason(client, transfer.request, 'ApprovalMissing');
    await longshore.resync();
    await client.change(empty, { spec });
    await expectComplete(transfer);
  });

  test('a grant for one claim approves that one and no other', async () => {
    const transfer = await make();
    const grant = await client.create(grantFor(transfer, version, 'other'));
    await client.create(transfer.request);
    await untilReason(client, transfer.request, 'ApprovalMissing');
    await client.change(grant, { spec: grantFor(transfer, version, transfer.source.metadata.name).spec });
    await expectComplete(transfer);
  });

  test.each([
    ['namespace', { namespace: 'other' }],
    ['kind', { kind: 'PersistentVolumeClaim' }],
    ['group', { group: 'other.example.com' }],
  ])('a grant from another %s approves nothing', async (_, difference) => {
    const transfer = await make();
    const grant = grantFor(transfer, version);
    const from = grant.spec?.from?.map((each) => ({ ...each, ...difference })) ?? [];
    await client.create({ ...grant, spec: { ...grant.spec, from } });
    await client.create(transfer.request);
    await untilReason(client, transfer.request, 'ApprovalMissing');
    await untilAsBefore(client, transfer);
  });

  test('a grant that is deleted before the point of no return takes everything back', async () => {
    const transfer = await make();
    const pod = podUsing(transfer.source);
    await client.create(pod);
    const grant = await client.create(grantFor(transfer, version));
    await client.create(transfer.request);
    await untilReason(client, transfer.request, 'SourceInUse');
    await client.delete(grant);
    await untilReason(client, transfer.request, 'ApprovalMissing');
    await untilAsBefore(client, transfer);
    await deletePod(client, pod);
    await longshore.resync();
    await untilAsBefore(client, transfer);
    await client.create(grantFor(transfer, version));
    await expectComplete(transfer);
  });
});
