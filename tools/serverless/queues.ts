import { keyOf } from './encryption.ts';
import {
  deadLetterQueueOf,
  type EventRule,
  maySend,
  prefixOf,
  queueOf,
  type Resource,
  type Surroundings,
} from './service.ts';
import { arnByName, arnOf, onlyEncrypted, policyOf, type Statement } from './statements.ts';

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
  const ruleNames = Object.keys(rules);
  return {
    [queue]: {
      Type: 'AWS::SQS::Queue',
      Properties: {
        ...shared,
        QueueName: queueName,
        // A rule gives no deduplication id. Two events have two ids, and so two bodies.
        ...(ruleNames.length > 0 ? { ContentBasedDeduplication: true } : {}),
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
    [`${queue}Policy`]: queuePolicy(queue, sendersTo(name, surroundings), ruleNames),
    [`${deadLetters}Policy`]: queuePolicy(deadLetters, burying(name, surroundings), []),
    ...ruleResources(rules, queue, name, deployment),
  };
}

/** What all queues have in common. One key's messages are worked on in order, and different keys' in parallel. */
function queueProperties(surroundings: Surroundings): Record<string, unknown> {
  const { parameters } = surroundings;
  const key = keyOf(surroundings);
  return {
    FifoQueue: true,
    DeduplicationScope: 'messageGroup',
    FifoThroughputLimit: 'perMessageGroupId',
    // With a key of one's own, KMS is asked once an hour for each who sends or receives, instead of every five minutes.
    ...(key ? { KmsMasterKeyId: key, KmsDataKeyReusePeriodSeconds: 3_600 } : { SqsManagedSseEnabled: true }),
    VisibilityTimeout: parameters['step-visibility-timeout-seconds'],
    MessageRetentionPeriod: retentionSeconds,
  };
}

/** All that is done with messages. Settings can be repaired by whoever has lost all else. */
const withMessages = ['sqs:SendMessage', 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'];

function queuePolicy(queue: string, senders: readonly unknown[], rules: readonly string[]): Resource {
  const statements = [
    onlyEncrypted(withMessages, arnOf(queue)),
    ...fromRules(queue, rules),
    ...fromNobodyElse(queue, senders, rules),
  ];
  return {
    Type: 'AWS::SQS::QueuePolicy',
    Properties: { Queues: [{ Ref: queue }], PolicyDocument: policyOf(...statements) },
  };
}

/** Nothing of EventBridge but our own rules: who an event is from is EventBridge's word. */
function fromRules(queue: string, rules: readonly string[]): Statement[] {
  if (rules.length === 0) return [];
  return [
    {
      Sid: 'FromRules',
      Effect: 'Allow',
      Principal: { Service: 'events.amazonaws.com' },
      Action: 'sqs:SendMessage',
      Resource: arnOf(queue),
      Condition: { ArnEquals: { 'aws:SourceArn': rules.map(arnOf) } },
    },
  ];
}

/** With the parameter `senders`, rights to send that somebody has by IAM are of no use for anybody else. */
function fromNobodyElse(queue: string, senders: readonly unknown[], rules: readonly string[]): Statement[] {
  if (senders.length === 0) return [];
  return [
    {
      Sid: 'OnlyKnownSenders',
      Effect: 'Deny',
      Principal: '*',
      Action: 'sqs:SendMessage',
      Resource: arnOf(queue),
      Condition: {
        ArnNotLike: { 'aws:PrincipalArn': senders },
        ...(rules.length > 0 ? { ArnNotEquals: { 'aws:SourceArn': rules.map(arnOf) } } : {}),
      },
    },
  ];
}

function sendersTo(name: string, { service, parameters: { senders } }: Surroundings): unknown[] {
  if (senders.length === 0) return [];
  const functions = Object.entries(service.functions).filter(([, { sendsTo = [] }]) => sendsTo.includes(name));
  return [...functions.map(([each]) => arnOf(`${prefixOf(each)}Role`)), ...senders];
}

/** SQS itself moves dead letters, whatever the policy says; a function that puts them there itself needs to be allowed. */
function burying(name: string, { service, parameters: { senders } }: Surroundings): unknown[] {
  if (senders.length === 0) return [];
  return maySend(service.functions[name] ?? {}) ? [arnOf(`${prefixOf(name)}Role`), ...senders] : senders;
}

function ruleResources(
  rules: Record<string, EventRule>,
  queue: string,
  functionName: string,
  deployment: string,
): Record<string, Resource> {
  const resourceOf = ({ name, description, pattern, group }: EventRule): Resource => ({
    Type: 'AWS::Events::Rule',
    Properties: {
      Name: `${deployment}-${name}`,
      Description: description,
      EventPattern: pattern,
      Targets: [{ Id: functionName, Arn: arnOf(queue), SqsParameters: { MessageGroupId: group } }],
    },
  });
  return Object.fromEntries(Object.entries(rules).map(([logicalId, rule]) => [logicalId, resourceOf(rule)]));
}
