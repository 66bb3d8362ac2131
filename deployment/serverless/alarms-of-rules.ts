import type { Alarm } from './alarm.ts';
import type { DeploymentContext } from './deployment-context.ts';
import { undelivered } from './rules.ts';

/** Events that EventBridge could not deliver are kept, and are lost only if that fails too. */
export function alarmsOfRules({ service }: DeploymentContext): Alarm[] {
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
