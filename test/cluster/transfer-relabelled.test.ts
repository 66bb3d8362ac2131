import { beforeAll, expect, test } from '@jest/globals';
import type { Namespace, ReferenceGrant, TransferRequest } from '../../lib/kubernetes/objects.ts';
import { type ClusterClient, makeTransfer } from '../support/cluster-client.ts';
import { ownControlPlane } from './case-control-plane.ts';
import { grantFor, serveGrants, withoutApproval } from './case-grants.ts';
import { runLongshore } from './case-longshore.ts';
import { expectMoved, untilAsBefore, untilReason, untilTime } from './case-waits.ts';

const controlPlane = ownControlPlane();
let client: ClusterClient;
beforeAll(async () => {
  client = controlPlane.client();
  await serveGrants(client, 'v1');
});
const longshore = runLongshore(controlPlane.kubeconfig);

/** The namespace is other people's from now on, and later than what was written before, by the seconds that are kept. */
async function replace(name: string, since: string | undefined): Promise<Namespace> {
  const namespace: Namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  await client.delete(namespace);
  await client.untilGone(namespace);
  await untilTime(Date.parse(since ?? '') + 1_000);
  await client.createNamespace(name);
  return client.until<Namespace>(namespace);
}

test('a grant is not confirmed for a later namespace by a label, nor by a new spec, but by its annotation', async () => {
  const transfer = withoutApproval(await makeTransfer(client));
  const grant = await client.create(grantFor(transfer, 'v1'));
  const { metadata } = await replace(transfer.target.metadata.namespace ?? '', grant.metadata.creationTimestamp);
  await client.create(transfer.request);
  const { message } = await untilReason(client, transfer.request, 'ApprovalMissing');
  expect(message).toContain(`longshore.dev/namespace-uids: ${metadata.uid}`);
  await untilTime(Date.parse(metadata.creationTimestamp ?? '') + 1_000);
  await client.change(grant, { metadata: { labels: { 'app.kubernetes.io/version': '2' } } });
  await client.change(grant, { spec: grantFor(transfer, 'v1', transfer.source.metadata.name).spec });
  const { managedFields = [] } = (await client.until<ReferenceGrant>(grant)).metadata;
  const written = Math.max(...managedFields.map(({ time }) => Date.parse(time ?? '')));
  expect(written).toBeGreaterThan(Date.parse(metadata.creationTimestamp ?? ''));
  await longshore.resync();
  await untilReason(client, transfer.request, 'ApprovalMissing');
  await untilAsBefore(client, transfer);
  await client.annotate(grant, { 'longshore.dev/namespace-uids': metadata.uid ?? '' });
  await client.until<TransferRequest>(transfer.request, ({ status }) => status?.complete === true);
  await expectMoved(client, transfer);
});
