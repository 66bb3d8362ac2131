import { expect, test } from '@jest/globals';
import type { Claim, ClusterObject, TransferRequest } from '../../lib/kubernetes/objects.ts';
import { consent, makeNamespaces, planTransfer, type Transfer, untilComplete } from '../support/cluster-client.ts';
import { testClient } from './administrator.ts';
import { runLongshore } from './case-longshore.ts';
import { expectMoved, untilBound, untilDeleting, volumeOf } from './case-waits.ts';

const client = testClient();
const longshore = runLongshore();
const hold = 'example.com/hold';

/** A set of one pod that has made its claim, which is bound to a volume that was there for it. */
async function makeSet() {
  const { namespace = '' } = planTransfer().source.metadata;
  const transfer = planTransfer({ source: { namespace, name: 'data-shop-0' } });
  await makeNamespaces(client, transfer);
  await client.create(transfer.volume);
  const labels = { app: 'shop' };
  const volumeMounts = [{ name: 'data', mountPath: '/data' }];
  const template = { metadata: { labels }, spec: { containers: [{ name: 'shop', image: 'shop', volumeMounts }] } };
  const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec: transfer.source.spec }];
  const set = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { namespace, name: 'shop' },
    spec: { serviceName: 'shop', replicas: 1, selector: { matchLabels: labels }, template, volumeClaimTemplates },
  };
  await client.create(set);
  const source = await untilBound(client, transfer.source);
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name: 'shop-0' } };
  await client.until(pod);
  const scale = (replicas: number) => client.change(set, { spec: { replicas } });
  const scaleDown = async () => {
    await scale(0);
    await client.untilGone(pod);
  };
  return { transfer: { ...transfer, source }, pod, scaleDown, scaleUp: () => scale(1) };
}

function untilAnother(claim: ClusterObject): Promise<Claim> {
  return client.until<Claim>(claim as Claim, ({ metadata }) => metadata.uid !== claim.metadata.uid);
}

/** The set has a claim of its own again, which has nothing to do with the transfer that is over. */
async function expectUndisturbed(transfer: Transfer, target: Claim): Promise<void> {
  const anew = await untilAnother(transfer.source);
  expect(anew.spec.volumeName).toBeUndefined();
  expect(anew.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
  await longshore.resync();
  expect((await expectMoved(client, transfer)).metadata.uid).toBe(target.metadata.uid);
  expect((await client.until<TransferRequest>(transfer.request)).status?.complete).toBe(true);
}

test('the claim of a set that is scaled down is moved, and the one that it makes later is another one', async () => {
  const { transfer, scaleDown, scaleUp } = await makeSet();
  await scaleDown();
  await consent(client, transfer);
  await untilComplete(client, transfer);
  await client.untilGone(transfer.source);
  const target = await expectMoved(client, transfer);
  expect(target.metadata.labels).toBeUndefined();
  expect(target.metadata.ownerReferences).toBeUndefined();
  await scaleUp();
  await expectUndisturbed(transfer, target);
});

test('a set that is scaled up while its claim goes gets a claim of its own, and the transfer its volume', async () => {
  const { transfer, pod, scaleDown, scaleUp } = await makeSet();
  await scaleDown();
  const { finalizers = [] } = (await client.until<Claim>(transfer.source)).metadata;
  await client.change(transfer.source, { metadata: { finalizers: [...finalizers, hold] } });
  await consent(client, transfer);
  const going = await untilDeleting(client, transfer.source);
  await scaleUp();
  await longshore.resync();
  expect(going.metadata.uid).toBe((await client.until<Claim>(transfer.source)).metadata.uid);
  expect((await volumeOf(client, transfer)).spec.claimRef?.uid).toBe(going.metadata.uid);
  await client.change(transfer.source, { metadata: { finalizers: ['longshore.dev/transfer'] } });
  await untilComplete(client, transfer);
  const target = await expectMoved(client, transfer);
  // The set looks again when something happens to it.
  await client.delete(pod);
  await client.annotate(
    { ...pod, apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { ...pod.metadata, name: 'shop' } },
    { look: 'again' },
  );
  await expectUndisturbed(transfer, target);
});
