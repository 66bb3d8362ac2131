import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { followClaims } from './claim-events.ts';
import { messageOf } from './messages.ts';
import { PendingEvents } from './pending-events.ts';

/** Baseline (a): one awaited SendMessage for each event. Its arguments are a kubeconfig and the URL of a queue. */

const [kubeconfigPath = '', QueueUrl = ''] = process.argv.slice(2);
const queue = new SQSClient();
const pending = new PendingEvents(1, async (events) => {
  for (const event of events) await queue.send(new SendMessageCommand({ QueueUrl, ...messageOf(event) }));
  return [];
});

await followClaims(kubeconfigPath, (event) => pending.add(event));
