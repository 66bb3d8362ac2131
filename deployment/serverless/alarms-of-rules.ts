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
        'EventBridge could not put events on the queue that they are for, and keeps them on the queue undelivered-events for 14 days; nothing takes them from there. The queue, its policy, or that of its key has been changed or is gone. See docs/bucket-requests.md#events-that-were-not-delivered.',
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
          'Events that match a rule of EventBridge could be put neither on the queue that they are for nor on the queue undelivered-events, and are lost. Both queues, their policies, or that of their key have been changed or are gone. See docs/bucket-requests.md#events-that-were-not-delivered.',
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
