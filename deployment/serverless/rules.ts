import { arnsOf, queuePolicy } from './queue-policies.ts';
import { keptAndEncrypted } from './queues.ts';
import { type EventRule, queueOf, type Resource, undeliveredName } from './service.ts';
import { arnOf } from './statements.ts';
import type { Surroundings } from './surroundings.ts';

/** Its logical id; no function takes what is on it. */
export const undelivered = 'UndeliveredEvents';

/**
 * The rules that feed queues of functions, and a queue for what EventBridge could not put there: an event that finds no queue,
 * or no right to it, is not tried again.
 */
export function ruleResources(surroundings: Surroundings): Record<string, Resource> {
  const { service, parameters, name: deployment } = surroundings;
  const made: Record<string, Resource> = {};
  const arns: object[] = [];
  for (const [name, { rules = {}, ...block }] of Object.entries(service.functions)) {
    const queue = queueOf(block);
    if (queue === undefined) continue;
    for (const [logicalId, rule] of Object.entries(rules)) made[logicalId] = ruleOf(rule, { queue, name, deployment });
    arns.push(...arnsOf(rules, deployment));
  }
  if (arns.length === 0) return {};
  return {
    ...made,
    [undelivered]: {
      Type: 'AWS::SQS::Queue',
      // EventBridge takes no FIFO queue for this.
      Properties: { ...keptAndEncrypted(surroundings), QueueName: undeliveredName(deployment) },
    },
    [`${undelivered}Policy`]: queuePolicy(undelivered, { senders: parameters.senders, rules: arns }),
  };
}

function ruleOf(
  { name, description, pattern, group }: EventRule,
  target: { queue: string; name: string; deployment: string },
): Resource {
  const { queue } = target;
  return {
    Type: 'AWS::Events::Rule',
    // What matches before EventBridge may send it would be lost.
    DependsOn: [`${queue}Policy`, `${undelivered}Policy`],
    Properties: {
      Name: `${target.deployment}-${name}`,
      Description: description,
      EventPattern: pattern,
      Targets: [
        {
          Id: target.name,
          Arn: arnOf(queue),
          SqsParameters: { MessageGroupId: group },
          DeadLetterConfig: { Arn: arnOf(undelivered) },
        },
      ],
    },
  };
}
