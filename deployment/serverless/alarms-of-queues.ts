import { allDelaysSeconds } from '../../lib/queue/backoff.ts';
import type { Alarm } from './alarm.ts';
import type { DeploymentContext } from './deployment-context.ts';
import { deadLetterQueueOf, queueOf } from './service.ts';

/** What each attempt takes at most, and how often AWS counts the messages of a queue. */
const attemptSeconds = 60;
const periodSeconds = 300;

/** A message is done, or a dead letter, before it is as old: an older one has not been tried. In whole periods. */
function oldestSeconds(maxReceives: number): number {
  return Math.ceil((allDelaysSeconds(maxReceives) + maxReceives * attemptSeconds) / periodSeconds) * periodSeconds;
}

export function alarmsOfQueue(name: string, { service }: DeploymentContext): Alarm[] {
  const block = service.functions[name] ?? {};
  const queue = queueOf(block);
  if (queue === undefined) return [];
  const deadLetters = deadLetterQueueOf(queue);
  const oldest = oldestSeconds(service.custom.maxReceives);
  const ofQueue = (logicalId: string) => ({ QueueName: { 'Fn::GetAtt': [logicalId, 'QueueName'] } });
  return [
    {
      id: deadLetters,
      name: `${name}-dead-letters`,
      description: `Messages for ${name} failed eight times and are kept as dead letters: their objects make no progress. "longshore dlq" shows them with their errors. When the cause is fixed, "longshore redrive" sends them again. See docs/recovery.md#what-you-see-and-what-to-do.`,
      namespace: 'AWS/SQS',
      metric: 'ApproximateNumberOfMessagesVisible',
      dimensions: ofQueue(deadLetters),
      statistic: 'Maximum',
      above: 0,
      periodSeconds: 60,
    },
    {
      id: `${queue}Age`,
      name: `${name}-oldest-message`,
      description: `A message for ${name} has waited for ${oldest / 60} minutes, longer than all its attempts take together: the function does not run, or has more work than it can do. Check its errors and throttles, and step-maximum-concurrency. See docs/recovery.md#aws-throttles.`,
      namespace: 'AWS/SQS',
      metric: 'ApproximateAgeOfOldestMessage',
      dimensions: ofQueue(queue),
      statistic: 'Maximum',
      above: oldest,
      periodSeconds,
    },
  ];
}
