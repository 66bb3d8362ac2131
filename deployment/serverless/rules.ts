import type { DeploymentContext } from './deployment-context.ts';
import { arnsOf, queuePolicy } from './queue-policies.ts';
import { keptAndEncrypted } from './queues.ts';
import { type EventRule, type FunctionBlock, queueOf, type Resource, undeliveredName } from './service.ts';
import { arnOf } from './statements.ts';

/** Its logical id; no function consumes it. */
export const undelivered = 'UndeliveredEvents';

/** While no event may create or delete a Bucket, none is taken, and the queue for them is not polled. */
export function areRulesOff({ rules }: FunctionBlock, { parameters }: DeploymentContext): boolean {
  const { requests, adoptions } = parameters['bucket-requests'] ?? { requests: [], adoptions: [] };
  return rules !== undefined && requests.length + adoptions.length === 0;
}

/**
 * The rules that feed queues of functions, and a queue for events that EventBridge could not deliver: without the queue, or
 * the permission for it, an event is not retried.
 */
export function ruleResources(context: DeploymentContext): Record<string, Resource> {
  const { service, parameters, name: deployment } = context;
  const made: Record<string, Resource> = {};
  const arns: object[] = [];
  for (const [name, block] of Object.entries(service.functions)) {
    const { rules = {} } = block;
    const queue = queueOf(block);
    if (queue === undefined) continue;
    const target = { queue, name, deployment, isOff: areRulesOff(block, context) };
    for (const [logicalId, rule] of Object.entries(rules)) made[logicalId] = ruleOf(rule, target);
    arns.push(...arnsOf(rules, deployment));
  }
  if (arns.length === 0) return {};
  return {
    ...made,
    [undelivered]: {
      Type: 'AWS::SQS::Queue',
      // EventBridge accepts no FIFO queue for this.
      Properties: { ...keptAndEncrypted(context), QueueName: undeliveredName(deployment) },
    },
    [`${undelivered}Policy`]: queuePolicy(undelivered, { senders: parameters.senders, rules: arns }),
  };
}

function ruleOf(
  { name, description, pattern, group }: EventRule,
  target: { queue: string; name: string; deployment: string; isOff: boolean },
): Resource {
  const { queue } = target;
  return {
    Type: 'AWS::Events::Rule',
    // Events that match before EventBridge may send them would be lost.
    DependsOn: [`${queue}Policy`, `${undelivered}Policy`],
    Properties: {
      Name: `${target.deployment}-${name}`,
      Description: description,
      EventPattern: pattern,
      State: target.isOff ? 'DISABLED' : 'ENABLED',
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
