import type { DeploymentContext } from './deployment-context.ts';
import { type EventRule, maySend, prefixOf, type Resource } from './service.ts';
import { arnByName, arnOf, onlyEncrypted, policyOf, type Statement } from './statements.ts';

/** All actions on messages. Not on settings: without other access, an administrator must be able to repair these. */
const withMessages = ['sqs:SendMessage', 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'];

/** The allowed senders of a queue, besides the permissions of IAM. */
interface QueueSenders {
  /** If not empty, only these are allowed. */
  senders: readonly unknown[];
  /** The ARNs of the EventBridge rules that feed it. */
  rules: readonly unknown[];
}

export function queuePolicy(queue: string, sending: QueueSenders): Resource {
  const statements = [
    onlyEncrypted(withMessages, arnOf(queue)),
    ...fromRules(queue, sending),
    ...denyOtherSenders(queue, sending),
  ];
  return {
    Type: 'AWS::SQS::QueuePolicy',
    Properties: { Queues: [{ Ref: queue }], PolicyDocument: policyOf(...statements) },
  };
}

/** By name, as the rules depend on the policies: a queue rejects events that a rule sends earlier. */
export function arnsOf(rules: Readonly<Record<string, EventRule>>, deployment: string): object[] {
  return Object.values(rules).map(({ name }) => arnByName('events', `rule/${deployment}-${name}`));
}

/** From EventBridge, only our own rules: EventBridge vouches for the source of an event. */
function fromRules(queue: string, { rules }: QueueSenders): Statement[] {
  if (rules.length === 0) return [];
  return [
    {
      Sid: 'FromRules',
      Effect: 'Allow',
      Principal: { Service: 'events.amazonaws.com' },
      Action: 'sqs:SendMessage',
      Resource: arnOf(queue),
      Condition: { ArnEquals: { 'aws:SourceArn': rules } },
    },
  ];
}

/** With the parameter `senders`, permissions to send that others have through IAM have no effect. */
function denyOtherSenders(queue: string, { senders, rules }: QueueSenders): Statement[] {
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
        ...(rules.length > 0 ? { ArnNotEquals: { 'aws:SourceArn': rules } } : {}),
      },
    },
  ];
}

export function sendersTo(name: string, { service, parameters: { senders } }: DeploymentContext): unknown[] {
  if (senders.length === 0) return [];
  const functions = Object.entries(service.functions).filter(([, { sendsTo = [] }]) => sendsTo.includes(name));
  return [...functions.map(([each]) => arnOf(`${prefixOf(each)}Role`)), ...senders];
}

/** SQS itself moves dead letters regardless of the policy; a function that sends them itself must be allowed. */
export function deadLetterSenders(name: string, { service, parameters: { senders } }: DeploymentContext): unknown[] {
  if (senders.length === 0) return [];
  return maySend(service.functions[name] ?? {}) ? [arnOf(`${prefixOf(name)}Role`), ...senders] : senders;
}
