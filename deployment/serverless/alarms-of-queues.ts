import { allDelaysSeconds } from '../../lib/queue/backoff.ts';
import { type Alarm, type AlarmMetric, alarmsFor, evenIfLate } from './alarm.ts';
import type { DeploymentContext } from './deployment-context.ts';
import { areRulesOff, undelivered } from './rules.ts';
import { deadLetterQueueOf, queueOf } from './service.ts';

/** What each attempt takes at most, and how often AWS counts the messages of a queue. */
const attemptSeconds = 60;
const periodSeconds = 300;

/** A message is done, or a dead letter, before it is as old: an older one has not been tried. In whole periods. */
function oldestSeconds(maxReceives: number): number {
  return Math.ceil((allDelaysSeconds(maxReceives) + maxReceives * attemptSeconds) / periodSeconds) * periodSeconds;
}

interface OfQueue extends AlarmMetric {
  of: string;
}

const namesOf = (metrics: readonly OfQueue[]) => metrics.map(({ of }) => of).join(', ');

export function alarmsOfQueues(context: DeploymentContext): Alarm[] {
  const { service } = context;
  const queues = Object.entries(service.functions).flatMap(([of, block]) => {
    const queue = queueOf(block);
    // Nothing comes to a queue whose rules are off.
    return queue === undefined || areRulesOff(block, context) ? [] : [{ of, queue }];
  });
  const counted = (metric: string, of: string, queue: string): OfQueue => ({
    of,
    namespace: 'AWS/SQS',
    metric,
    dimensions: { QueueName: { 'Fn::GetAtt': [queue, 'QueueName'] } },
    statistic: 'Maximum',
  });
  const oldest = oldestSeconds(service.custom.maxReceives);
  return [
    ...alarmsFor(
      queues.map(({ of, queue }) => counted('ApproximateNumberOfMessagesVisible', of, deadLetterQueueOf(queue))),
      (some) => ({
        id: 'DeadLetters',
        name: 'dead-letters',
        description: `Messages failed eight times and are kept as dead letters: their objects make no progress. They are for ${namesOf(some)}. "longshore dlq" shows them with their errors. When the cause is fixed, "longshore redrive" sends them again. See docs/recovery.md#what-you-see-and-what-to-do.`,
        above: 0,
        periodSeconds: 60,
        periods: evenIfLate.minutely,
      }),
    ),
    ...alarmsFor(
      queues.map(({ of, queue }) => counted('ApproximateAgeOfOldestMessage', of, queue)),
      (some) => ({
        id: 'OldestMessage',
        name: 'oldest-message',
        description: `A message has waited for ${oldest / 60} minutes, longer than all its attempts take together: its function does not run, or has more work than it can do. It is for ${namesOf(some)}; "longshore queues" and the dashboard show for which. Check errors and throttles, and step-maximum-concurrency. See docs/recovery.md#aws-throttles.`,
        above: oldest,
        periodSeconds,
        periods: evenIfLate.once,
      }),
    ),
    ...(Object.values(service.functions).some((block) => block.rules && !areRulesOff(block, context))
      ? [undeliveredAlarm]
      : []),
  ];
}

const undeliveredAlarm: Alarm = {
  id: undelivered,
  name: 'undelivered-events',
  description:
    'EventBridge could not put events on their queue, and keeps them on the queue undelivered-events for 14 days; nothing reads them from there. The queue, its policy, or the policy of its key has been changed or deleted. See docs/bucket-requests.md#events-that-were-not-delivered.',
  metrics: [
    {
      namespace: 'AWS/SQS',
      metric: 'ApproximateNumberOfMessagesVisible',
      dimensions: { QueueName: { 'Fn::GetAtt': [undelivered, 'QueueName'] } },
      statistic: 'Maximum',
    },
  ],
  above: 0,
  periodSeconds: 60,
};
