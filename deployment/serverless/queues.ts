import type { DeploymentContext } from './deployment-context.ts';
import { keyOf } from './encryption.ts';
import { arnsOf, deadLetterSenders, queuePolicy, sendersTo } from './queue-policies.ts';
import { deadLetterQueueOf, queueOf, type Resource } from './service.ts';
import { arnByName, arnOf } from './statements.ts';

/**
 * 14 days, the maximum, for both: a FIFO queue resets the time when a message becomes a dead letter, so that there is always
 * the whole time to handle it.
 */
const retentionSeconds = 14 * 24 * 60 * 60;

/** The queue that a function's block names, its dead-letter queue, and the policies of both. */
export function queueResources(name: string, context: DeploymentContext): Record<string, Resource> {
  const { service, name: deployment } = context;
  const block = service.functions[name] ?? {};
  const queue = queueOf(block);
  if (queue === undefined) return {};
  const deadLetters = deadLetterQueueOf(queue);
  const { rules = {} } = block;
  const queueName = `${deployment}-${name}.fifo`;
  const shared = queueProperties(context);
  const ruleArns = arnsOf(rules, deployment);
  return {
    [queue]: {
      Type: 'AWS::SQS::Queue',
      Properties: {
        ...shared,
        QueueName: queueName,
        // A rule sets no deduplication id. Two events have two ids, and so two bodies.
        ...(ruleArns.length > 0 ? { ContentBasedDeduplication: true } : {}),
        RedrivePolicy: { deadLetterTargetArn: arnOf(deadLetters), maxReceiveCount: service.custom.maxReceives },
      },
    },
    [deadLetters]: {
      Type: 'AWS::SQS::Queue',
      Properties: {
        ...shared,
        QueueName: `${deployment}-${name}-dead-letters.fifo`,
        RedriveAllowPolicy: { redrivePermission: 'byQueue', sourceQueueArns: [arnByName('sqs', queueName)] },
      },
    },
    [`${queue}Policy`]: queuePolicy(queue, { senders: sendersTo(name, context), rules: ruleArns }),
    [`${deadLetters}Policy`]: queuePolicy(deadLetters, { senders: deadLetterSenders(name, context), rules: [] }),
  };
}

/** Properties of all function queues. Messages of one key are processed in order, those of different keys in parallel. */
function queueProperties(context: DeploymentContext): Record<string, unknown> {
  return {
    FifoQueue: true,
    DeduplicationScope: 'messageGroup',
    FifoThroughputLimit: 'perMessageGroupId',
    VisibilityTimeout: context.parameters['step-visibility-timeout-seconds'],
    ...keptAndEncrypted(context),
  };
}

/** Properties of all queues. */
export function keptAndEncrypted(context: DeploymentContext): Record<string, unknown> {
  const key = keyOf(context);
  return {
    // With an own key, KMS is called once an hour per sender or receiver, instead of every five minutes.
    ...(key ? { KmsMasterKeyId: key, KmsDataKeyReusePeriodSeconds: 3_600 } : { SqsManagedSseEnabled: true }),
    MessageRetentionPeriod: retentionSeconds,
  };
}
