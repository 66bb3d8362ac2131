import { keyOf } from './encryption.ts';
import { arnsOf, burying, queuePolicy, sendersTo } from './queue-policies.ts';
import { deadLetterQueueOf, queueOf, type Resource } from './service.ts';
import { arnByName, arnOf } from './statements.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * 14 days, the longest there is, for both: a FIFO queue counts anew when a message becomes a dead letter, so that whoever has
 * to look at it always has the whole time.
 */
const retentionSeconds = 14 * 24 * 60 * 60;

/** The queue that a function's block names, where its messages go that fail too often, and who may send to both. */
export function queueResources(name: string, surroundings: Surroundings): Record<string, Resource> {
  const { service, name: deployment } = surroundings;
  const block = service.functions[name] ?? {};
  const queue = queueOf(block);
  if (queue === undefined) return {};
  const deadLetters = deadLetterQueueOf(queue);
  const { rules = {} } = block;
  const queueName = `${deployment}-${name}.fifo`;
  const shared = queueProperties(surroundings);
  const ruleArns = arnsOf(rules, deployment);
  return {
    [queue]: {
      Type: 'AWS::SQS::Queue',
      Properties: {
        ...shared,
        QueueName: queueName,
        // A rule gives no deduplication id. Two events have two ids, and so two bodies.
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
    [`${queue}Policy`]: queuePolicy(queue, { senders: sendersTo(name, surroundings), rules: ruleArns }),
    [`${deadLetters}Policy`]: queuePolicy(deadLetters, { senders: burying(name, surroundings), rules: [] }),
  };
}

/** What all queues of functions have in common. One key's messages are worked on in order, and different keys' in parallel. */
function queueProperties(surroundings: Surroundings): Record<string, unknown> {
  return {
    FifoQueue: true,
    DeduplicationScope: 'messageGroup',
    FifoThroughputLimit: 'perMessageGroupId',
    VisibilityTimeout: surroundings.parameters['step-visibility-timeout-seconds'],
    ...keptAndEncrypted(surroundings),
  };
}

/** What all queues have in common, whatever they are for. */
export function keptAndEncrypted(surroundings: Surroundings): Record<string, unknown> {
  const key = keyOf(surroundings);
  return {
    // With a key of one's own, KMS is asked once an hour for each who sends or receives, instead of every five minutes.
    ...(key ? { KmsMasterKeyId: key, KmsDataKeyReusePeriodSeconds: 3_600 } : { SqsManagedSseEnabled: true }),
    MessageRetentionPeriod: retentionSeconds,
  };
}
