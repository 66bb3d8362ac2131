import { GetQueueAttributesCommand, type QueueAttributeName, SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { queueOf, type TestStack } from '../../support/deployed-stack.ts';
import { until } from '../../support/patience.ts';

/** Does work while what fails is a dead letter at once, and not after its eighth delivery, which takes half an hour. */
export async function withOneDelivery<T>(deployed: TestStack, functionName: string, work: () => Promise<T>) {
  const { url: QueueUrl } = queueOf(deployed, functionName);
  const { RedrivePolicy = '{}' } = await attributes(deployed, QueueUrl, 'RedrivePolicy');
  const set = (policy: string) =>
    deployed.sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { RedrivePolicy: policy } }));
  await set(JSON.stringify({ ...JSON.parse(RedrivePolicy), maxReceiveCount: 1 }));
  return work().finally(() => set(RedrivePolicy));
}

export async function untilDeadLetter(deployed: TestStack, functionName: string, least = 1): Promise<void> {
  const { deadLetterUrl } = queueOf(deployed, functionName);
  await until(`${functionName} has dead letters`, async () => (await waitingIn(deployed, deadLetterUrl)) >= least);
}

/** What is in a queue and what is being worked on. */
export async function waitingIn(deployed: TestStack, url: string): Promise<number> {
  const counts = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const found = await attributes(deployed, url, ...counts);
  return counts.reduce((sum, count) => sum + Number(found[count] ?? 0), 0);
}

/** No message is left anywhere, and no dead letter. */
export async function untilAllQueuesAreEmpty(deployed: TestStack): Promise<void> {
  const urls = Object.values(deployed.stack.queues).flatMap(({ url, deadLetterUrl }) => [url, deadLetterUrl]);
  await until('all queues are empty', async () => {
    const counts = await Promise.all(urls.map((url) => waitingIn(deployed, url)));
    return counts.every((count) => count === 0);
  });
}

async function attributes({ sqs }: TestStack, QueueUrl: string, ...AttributeNames: QueueAttributeName[]) {
  return (await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }))).Attributes ?? {};
}
