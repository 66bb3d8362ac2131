import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { followClaims } from './claim-events.ts';
import { messageOf } from './messages.ts';
import { PendingEvents } from './pending-events.ts';

/**
 * Baseline (b): batches of up to ten, one in flight; an event is sent at once if nothing is in flight. Its arguments
 * are a kubeconfig and the URL of a queue.
 */

const [kubeconfigPath = '', QueueUrl = ''] = process.argv.slice(2);
/** SQS accepts no more in one call. */
const batchSize = 10;
const queue = new SQSClient();
const pending = new PendingEvents(batchSize, async (events) => {
  const Entries = events.map((event, position) => ({ Id: String(position), ...messageOf(event) }));
  const { Failed = [] } = await queue.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  const failed = new Set(Failed.map(({ Id }) => Id));
  return events.filter((_, position) => failed.has(String(position)));
});

await followClaims(kubeconfigPath, (event) => pending.add(event));
