import { expect } from '@jest/globals';
import type { Claim, TransferApproval, TransferRequest, Volume } from '../../lib/kubernetes/objects.ts';
import { claimFrom } from '../../tools/csi-stand-in/objects.ts';
import {
  type ClusterClient,
  consent,
  makeTransfer,
  planTransfer,
  type Transfer,
  untilComplete,
} from '../support/cluster-client.ts';
import { untilBucketBound } from './case-bucket-waits.ts';
import { type BucketLongshore, makeBucket, planBucket, secretNamed } from './case-buckets.ts';
import { grantFor, withoutApproval } from './case-grants.ts';
import { deletePod, podUsing } from './case-objects.ts';
import { accepting, claimStatus, expectTransferred, giveAway, offer, takeBack, untilPending } from './case-offers.ts';
import { ask, grantFor as grantForSnapshot, makeSource, ways } from './case-snapshot-sources.ts';
import { untilSaid } from './case-snapshot-waits.ts';
import type { WithDriver } from './case-snapshots.ts';
import { untilReason } from './case-waits.ts';

/** Ways to an end at which nothing is left to do, whether it was asked for or taken back. */

type Way = (client: ClusterClient) => Promise<unknown>;

async function byApproval(client: ClusterClient): Promise<void> {
  const transfer = await makeTransfer(client);
  await consent(client, transfer);
  await untilComplete(client, transfer);
}

async function byGrant(client: ClusterClient): Promise<void> {
  const transfer = withoutApproval(await makeTransfer(client));
  await client.create(grantFor(transfer, 'v1'));
  await client.create(transfer.request);
  await client.until<TransferRequest>(transfer.request, ({ status }) => status?.complete === true);
}

async function byAnnotation(client: ClusterClient): Promise<void> {
  const transfer = await makeTransfer(client);
  await offer(client, transfer);
  await client.create(accepting(transfer));
  await giveAway(client, transfer);
  await expectTransferred(client, transfer);
}

async function cancelledRequest(client: ClusterClient): Promise<void> {
  const transfer = await makeTransfer(client);
  const pod = podUsing(transfer.source, 'node-1');
  await client.create(pod);
  await consent(client, transfer);
  await untilReason(client, transfer.request, 'SourceInUse');
  await client.delete(transfer.request);
  await client.delete(transfer.approval);
  await client.untilGone(transfer.request);
  await untilFree(client, transfer);
  await deletePod(client, pod);
}

async function cancelledOffer(client: ClusterClient): Promise<void> {
  const transfer = await makeTransfer(client);
  await offer(client, transfer);
  await untilPending(client, transfer.source);
  await takeBack(client, transfer);
  await untilFree(client, transfer);
}

/** The claim has what it had before, and nothing holds it. */
async function untilFree(client: ClusterClient, { source, volume }: Transfer): Promise<void> {
  const { metadata, ...plain } = source;
  const { namespace = '', name } = metadata;
  await client.until<Claim>({ ...plain, metadata: { namespace, name } }, ({ metadata: found }) => {
    const isHeld = found.finalizers?.some((finalizer) => finalizer.startsWith('longshore.dev/')) === true;
    return !isHeld && found.annotations?.[claimStatus] === undefined;
  });
  await client.until<Volume>(volume, ({ metadata: found }) => {
    return !Object.keys(found.annotations ?? {}).some((key) => key.startsWith('longshore.dev/'));
  });
}

/** The volume of a provisioner that no populator is behind, as it names and marks the volume of a claim. */
async function filledByProvisioner(client: ClusterClient): Promise<void> {
  const { volume, source } = planTransfer();
  const { namespace = '', name } = source.metadata;
  await client.createNamespace(namespace);
  const backup = { apiGroup: 'example.com', kind: 'Backup', name: 'nightly' };
  const wanted = claimFrom(backup, { namespace, name, className: source.spec.storageClassName ?? '' });
  const { metadata } = await client.create(wanted);
  const annotations = { 'pv.kubernetes.io/provisioned-by': 'example.com/provisioner' };
  await client.create({ ...volume, metadata: { name: `pvc-${metadata.uid}`, annotations } });
  await untilSaid(client, wanted, 'IgnoredByProvisioner');
}

async function staticBucket(client: ClusterClient): Promise<void> {
  const plan = planBucket({});
  const vault = `${plan.namespace}-vault`;
  await client.createNamespace(vault);
  await client.create(secretNamed(vault, 'archive', { AWS_ACCESS_KEY_ID: 'given', BUCKET_NAME: 'archive' }));
  const bucketClass = { ...plan.bucketClass, secretRef: { namespace: vault, name: 'archive' } };
  await untilBucketBound(client, await makeBucket(client, { ...plan, bucketClass }));
}

const ofTransfers: readonly Way[] = [byApproval, byGrant, byAnnotation, cancelledRequest, cancelledOffer];

/** All of them at once, and waits until each is over. */
export async function finishInAllWays(cluster: WithDriver, { driver, store }: BucketLongshore): Promise<void> {
  const { client } = cluster.parts();
  const restored = async () => {
    const source = await makeSource(cluster);
    await client.create(grantForSnapshot(source));
    const claims = await Promise.all(ways.map((way) => ask(cluster, source, { way })));
    await Promise.all(claims.map((claim) => untilSaid(client, claim, 'Populated')));
  };
  const existingBucket = async () => {
    const { name } = store.addBucket('archive-of-others');
    const plan = planBucket({ provisioner: driver, bucketIdentifier: name, releasePolicy: 'Retain' });
    await untilBucketBound(client, await makeBucket(client, plan));
  };
  const classAlone = async () => {
    await client.create(planBucket({ provisioner: driver, releasePolicy: 'Delete' }).bucketClass);
  };
  const others = [filledByProvisioner, staticBucket, existingBucket, classAlone, restored];
  await Promise.all([...ofTransfers, ...others].map((way) => way(client)));
}

/** A transfer whose objects expire as soon as they are complete. They stay until a list finds them. */
export async function finishBriefly(client: ClusterClient): Promise<(TransferRequest | TransferApproval)[]> {
  const { request, approval, ...rest } = await makeTransfer(client);
  const brief = { ttlSecondsAfterFinished: 1 };
  const transfer = {
    ...rest,
    request: { ...request, spec: { ...request.spec, ...brief } },
    approval: { ...approval, spec: { ...approval.spec, ...brief } },
  };
  await consent(client, transfer);
  await untilComplete(client, transfer);
  expect(await client.get(request)).toBeDefined();
  return [transfer.request, transfer.approval];
}
