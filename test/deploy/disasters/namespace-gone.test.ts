import { expect, test } from '@jest/globals';
import type { Bucket } from '../../../lib/capabilities/buckets/objects.ts';
import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import { until } from '../../support/patience.ts';
import { boundBucket, credentialsOf, hasItsData, isReadable, makeClass } from './case-bucket.ts';
import { copyMidway } from './case-copy.ts';
import { untilAllQueuesAreEmpty } from './case-dead-letters.ts';
import { ownStack } from './case-own-stack.ts';
import { Runbook } from './case-runbook.ts';
import { transferOf, untilMoved } from './case-transfer.ts';

const own = ownStack();

interface Namespace extends ClusterObject {
  status?: { conditions?: { type: string; status: string }[] };
}

const namespace: Namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'longshore-system' } };

/** All is gone that can go, and something is held. */
const isStuck = ({ status }: Namespace) =>
  status?.conditions?.some(({ type, status: is }) => type === 'NamespaceFinalizersRemaining' && is === 'True') === true;

const isReady = ({ status }: Bucket) =>
  status?.conditions?.some(({ type, status: is }) => type === 'SecretReady' && is === 'True') === true;

test('when the system namespace is deleted no data goes with it, and all goes on when it is made again', async () => {
  const [client, deployed, operator] = [own.client(), own.deployed(), await own.operator()];
  const transfer = await transferOf(client, 'db1');
  await client.create(transfer.request);
  await makeClass(client, deployed);
  const photos = await boundBucket(client, 'stage', 'photos');
  const copy = await copyMidway(client, own.local());

  await operator.succeed('kubectl delete namespace longshore-system --wait=false');
  await client.until<Namespace>(namespace, isStuck);
  expect(await hasItsData(deployed, photos)).toBe(true);

  const runbook = new Runbook('the-system-namespace-is-gone', operator);
  await runbook.follow();
  await runbook.follow();
  await runbook.follow();
  await client.create(transfer.approval);
  await runbook.follow();
  copy.goOn();
  await runbook.follow();
  await untilMoved(client, transfer);
  expect(await copy.untilPopulated()).toEqual(copy.bytes);
  await client.until<Bucket>(photos.bucket, isReady);
  expect((await credentialsOf(client, photos.bucket)).AWS_ACCESS_KEY_ID).not.toBe(photos.credentials.AWS_ACCESS_KEY_ID);
  await until('the Bucket has credentials that open it', () => isReadable(client, photos));
  await untilAllQueuesAreEmpty(deployed);
  await runbook.follow();
  runbook.over();
});
