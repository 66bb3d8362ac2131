import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Bucket } from '../../../lib/capabilities/buckets/objects.ts';
import { bucket, isBound } from '../../../tools/local/bucket-objects.ts';
import { startForwarder } from '../../../tools/local/forwarding.ts';
import { consent } from '../../support/cluster-client.ts';
import { until } from '../../support/patience.ts';
import { boundBucket, className, makeClass } from './case-bucket.ts';
import { untilAllQueuesAreEmpty, waitingIn } from './case-dead-letters.ts';
import { ownStack } from './case-own-stack.ts';
import { Runbook } from './case-runbook.ts';
import { callAwsAt, startThrottle, type Throttle } from './case-throttle.ts';
import { transferOf, untilMoved } from './case-transfer.ts';

// What cannot even be put off comes again so soon.
const own = ownStack({
  capabilities: 'transfers,buckets',
  'step-timeout-seconds': '5',
  'step-visibility-timeout-seconds': '30',
});
const transfers = 5;
let throttle: Throttle;

beforeAll(async () => {
  const { localAws, stack } = own.local();
  throttle = await startThrottle(localAws.endpoint);
  await callAwsAt(throttle.endpoint, own.deployed());
  await startForwarder(localAws, stack);
});
afterAll(() => throttle.stop());

test('what AWS throttles is neither lost nor given up, and done when it lets calls through again', async () => {
  const [client, deployed, operator] = [own.client(), own.deployed(), await own.operator()];
  const asked = [];
  for (let index = 1; index <= transfers; index += 1) asked.push(await transferOf(client, `db${index}`));
  await makeClass(client, deployed, throttle.endpoint);
  const photos = await boundBucket(client, 'stage', 'photos');

  throttle.isThrottling = true;
  const films = await client.create(bucket('stage', 'films', className));
  for (const transfer of asked) await consent(client, transfer);
  await client.delete(photos.bucket);
  // Functions that have not run yet ask for their credentials. Whoever resyncs is not throttled: they are to have work.
  let told = 1;
  await until('calls to each service are refused', async () => {
    await operator.succeed('longshore resync');
    told += 1;
    return ['sqs', 's3', 'iam', 'secretsmanager'].every((each) => (throttle.refused[each] ?? 0) > 0);
  });
  for (const { url, deadLetterUrl } of Object.values(deployed.stack.queues)) {
    expect(await waitingIn(deployed, deadLetterUrl)).toBe(0);
    // The functions themselves tell nothing twice.
    expect(await waitingIn(deployed, url)).toBeLessThanOrEqual(told * transfers);
  }
  const runbook = new Runbook('aws-throttles', operator);
  await runbook.follow();
  throttle.isThrottling = false;
  await startForwarder(own.local().localAws, deployed.stack);

  for (const transfer of asked) await untilMoved(client, transfer);
  const made = await client.until<Bucket>(films, isBound);
  expect(made.status?.phase).toBe('Bound');
  await client.untilGone(photos.bucket);
  await untilAllQueuesAreEmpty(deployed);
  await runbook.follow();
  runbook.over();
});
