import { expect, test } from '@jest/globals';
import type { Bucket } from '../../../lib/capabilities/buckets/objects.ts';
import { isFenced } from '../../../lib/capabilities/transfers/by-request/claim-marks.ts';
import type { Claim } from '../../../lib/kubernetes/objects.ts';
import { bucket, isBound } from '../../../tools/local/bucket-objects.ts';
import { consent } from '../../support/cluster-client.ts';
import { boundBucket, className, hasItsData, isReadable, makeClass } from './case-bucket.ts';
import { stopConsuming } from './case-consumers.ts';
import { untilAllQueuesAreEmpty } from './case-dead-letters.ts';
import { ownStack } from './case-own-stack.ts';
import { Runbook } from './case-runbook.ts';
import { transferOf, untilMoved } from './case-transfer.ts';

const own = ownStack({ capabilities: 'transfers,buckets' });

test('a stack that is removed in the middle of its work and deployed again goes on where it was', async () => {
  const [client, deployed, operator] = [own.client(), own.deployed(), await own.operator()];
  const [begun, later] = [await transferOf(client, 'db1'), await transferOf(client, 'db2')];
  await makeClass(client, deployed);
  const photos = await boundBucket(client, 'stage', 'photos');
  for (const name of ['rebind-volume', 'provision-bucket']) await stopConsuming(deployed, name);
  await consent(client, begun);
  await client.until<Claim>(begun.source as Claim, (found) => isFenced(found));
  const asked = await client.create(bucket('stage', 'films', className));
  await client.until<Bucket>(asked, ({ status }) => status?.conditions?.[0]?.reason === 'Provisioning');

  await operator.succeed('npx serverless remove --stage "$LONGSHORE_STAGE" --region "$AWS_REGION"');
  await consent(client, later);
  expect(await hasItsData(deployed, photos)).toBe(true);

  const runbook = new Runbook('the-stack-is-gone', operator);
  await runbook.follow();
  await runbook.follow();
  await runbook.follow();
  for (const transfer of [begun, later]) await untilMoved(client, transfer);
  await client.until<Bucket>(asked, isBound);
  expect(await isReadable(client, photos)).toBe(true);
  await untilAllQueuesAreEmpty(deployed);
  await runbook.follow();
  runbook.over();
});
