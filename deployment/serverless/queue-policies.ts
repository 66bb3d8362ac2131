import { type EventRule, maySend, prefixOf, type Resource } from './service.ts';
import { arnByName, arnOf, onlyEncrypted, policyOf, type Statement } from './statements.ts';
import type { Surroundings } from './surroundings.ts';

/** All that is done with messages. Settings can be repaired by whoever has lost all else. */
const withMessages = ['sqs:SendMessage', 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'];

/** Who may send to a queue, beside what IAM says. */
interface Sending {
  /** Nobody but these, unless there are none. */
  senders: readonly unknown[];
  /** The ARNs of the rules of EventBridge that feed it. */
  rules: readonly unknown[];
}

export function queuePolicy(queue: string, sending: Sending): Resource {
  const statements = [
    onlyEncrypted(withMessages, arnOf(queue)),
    ...fromRules(queue, sending),
    ...fromNobodyElse(queue, sending),
  ];
  return {
    Type: 'AWS::SQS::QueuePolicy',
    Properties: { Queues: [{ Ref: queue }], PolicyDocument: policyOf(...statements) },
  };
}

/** By their names, as the rules wait for the policies: what they send before they may is not taken. */
export function arnsOf(rules: Readonly<Record<string, EventRule>>, deployment: string): object[] {
  return Object.values(rules).map(({ name }) => arnByName('events', `rule/${deployment}-${name}`));
}

/** Nothing of EventBridge but our own rules: who an event is from is EventBridge's word. */
function fromRules(queue: string, { rules }: Sending): Statement[] {
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

/** With the parameter `senders`, rights to send that somebody has by IAM are of no use for anybody else. */
function fromNobodyElse(queue: string, { senders, rules }: Sending): Statement[] {
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

export function sendersTo(name: string, { service, parameters: { senders } }: Surroundings): unknown[] {
  if (senders.length === 0) return [];
  const functions = Object.entries(service.functions).filter(([, { sendsTo = [] }]) => sendsTo.includes(name));
  return [...functions.map(([each]) => arnOf(`${prefixOf(each)}Role`)), ...senders];
}

/** SQS itself moves dead letters, whatever the policy says; a function that puts them there itself needs to be allowed. */
export function burying(name: string, { service, parameters: { senders } }: Surroundings): unknown[] {
  if (senders.length === 0) return [];
  return maySend(service.functions[name] ?? {}) ? [arnOf(`${prefixOf(name)}Role`), ...senders] : senders;
}
