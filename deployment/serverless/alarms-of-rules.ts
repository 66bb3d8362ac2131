import type { Alarm } from './alarm.ts';
import { undelivered } from './rules.ts';
import type { Surroundings } from './surroundings.ts';

/** What EventBridge could not deliver is kept, and is lost only if it cannot be kept either. */
export function alarmsOfRules({ service }: Surroundings): Alarm[] {
  const rules = Object.values(service.functions).flatMap((block) => Object.entries(block.rules ?? {}));
  if (rules.length === 0) return [];
  return [
    {
      id: undelivered,
      name: 'undelivered-events',
      description:
        'EventBridge could not put events on their queue, and keeps them on the queue undelivered-events for 14 days; nothing reads them from there. The queue, its policy, or the policy of its key has been changed or deleted. See docs/bucket-requests.md#events-that-were-not-delivered.',
      namespace: 'AWS/SQS',
      metric: 'ApproximateNumberOfMessagesVisible',
      dimensions: { QueueName: { 'Fn::GetAtt': [undelivered, 'QueueName'] } },
      statistic: 'Maximum',
      above: 0,
      periodSeconds: 60,
    },
    ...rules.map(
      ([id, { name }]): Alarm => ({
        id,
        name: `${name}-rule`,
        description:
          'EventBridge could put events neither on their queue nor on the queue undelivered-events, and they are lost. Both queues, their policies, or the policy of their key have been changed or deleted. See docs/bucket-requests.md#events-that-were-not-delivered.',
        namespace: 'AWS/Events',
        metric: 'InvocationsFailedToBeSentToDlq',
        dimensions: { RuleName: { Ref: id } },
        statistic: 'Sum',
        above: 0,
        periodSeconds: 300,
      }),
    ),
  ];
}
