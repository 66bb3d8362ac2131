import { DeleteQueueCommand, GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { expect, test } from '@jest/globals';
import { isAfter } from '../../../lib/forwarder/progress.ts';
import { letPlainHttpIn } from '../../../tools/local-aws/stack.ts';
import { consent } from '../../support/cluster-client.ts';
import { queueOf, type TestStack } from '../../support/deployed-stack.ts';
import { until } from '../../support/patience.ts';
import { checkpointOf } from './case-checkpoint.ts';
import { stopConsuming } from './case-consumers.ts';
import { untilAllQueuesAreEmpty, waitingIn } from './case-dead-letters.ts';
import { ownStack } from './case-own-stack.ts';
import { Runbook } from './case-runbook.ts';
import { transferOf, untilMoved } from './case-transfer.ts';

const own = ownStack({ capabilities: 'transfers' });
const functionName = 'match-transfer';
const requests = 'storagetransferrequests.transfer.storage.k8s.io';

test('what was on a queue that was deleted, and what could not be put there, is made up for when it is made again', async () => {
  const [client, deployed, operator] = [own.client(), own.deployed(), await own.operator()];
  const { url, deadLetterUrl } = queueOf(deployed, functionName);
  const [lost, held] = [await transferOf(client, 'db1'), await transferOf(client, 'db2')];
  const before = await attributesOf(deployed, url);
  await stopConsuming(deployed, functionName);
  await consent(client, lost);
  await until('a message is on the queue', async () => (await waitingIn(deployed, url)) > 0);
  for (const QueueUrl of [url, deadLetterUrl]) await deployed.sqs.send(new DeleteQueueCommand({ QueueUrl }));

  await consent(client, held);
  const asked = await client.until(held.request);
  // Other kinds go on, and the checkpoint of this one stays before what no queue has taken.
  const bystander = await transferOf(client, 'db3');
  const { resourceVersion = '' } = (await client.until(bystander.source)).metadata;
  await until('the checkpoint of claims has moved', async () => {
    const { persistentvolumeclaims = '0' } = await checkpointOf(client);
    return isAfter(persistentvolumeclaims, resourceVersion) || persistentvolumeclaims === resourceVersion;
  });
  expect(isAfter(asked.metadata.resourceVersion ?? '', (await checkpointOf(client))[requests] ?? '')).toBe(true);

  operator.set('FUNCTION', functionName);
  const runbook = new Runbook('a-queue-is-gone', operator);
  await runbook.follow();
  await runbook.follow();
  // The local AWS has no TLS, which the policy of the queue demands.
  await letPlainHttpIn(deployed.settings, deployed.stack.stackName);
  expect(await attributesOf(deployed, url)).toEqual(before);
  await runbook.follow();
  await runbook.follow();
  for (const transfer of [lost, held]) await untilMoved(client, transfer);
  await untilAllQueuesAreEmpty(deployed);
  await runbook.follow();
  runbook.over();
});

/** All that a queue was made with. What is false by default is there or not, as it was made by one way or the other. */
async function attributesOf({ sqs }: TestStack, QueueUrl: string): Promise<Record<string, string>> {
  const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  const given = Object.entries(Attributes).filter(
    ([name, value]) => !/^Approximate|Timestamp$/.test(name) && value !== 'false',
  );
  return Object.fromEntries(given);
}
