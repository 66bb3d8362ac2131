import { expect, test } from '@jest/globals';
import {
  type Completed,
  completed,
  file,
  propertiesOf,
  referencesIn,
} from '../../../../../support/completed-service.ts';

const deployed = completed();
const { functions, resources } = deployed;
const rules = Object.keys(resources.Resources).filter(
  (name) => resources.Resources[name]?.Type === 'AWS::Events::Rule',
);
const arnOf = (name: string) => ({ 'Fn::GetAtt': [name, 'Arn'] });

interface Document {
  Statement: { Sid?: string; Effect: string; Action: unknown; Resource: unknown }[];
}

const ruleArns = rules.map((name) => {
  const ruleName = String(propertiesOf(deployed, name).Name);
  return { 'Fn::Sub': `arn:\${AWS::Partition}:events:\${AWS::Region}:\${AWS::AccountId}:rule/${ruleName}` };
});

function allowedBy(policy: string): unknown[] {
  const { PolicyDocument } = propertiesOf(deployed, policy);
  return (PolicyDocument as Document).Statement.filter(({ Effect }) => Effect === 'Allow');
}

const fromRulesTo = (queue: string) => ({
  Sid: 'FromRules',
  Effect: 'Allow',
  Principal: { Service: 'events.amazonaws.com' },
  Action: 'sqs:SendMessage',
  Resource: arnOf(queue),
  Condition: { ArnEquals: { 'aws:SourceArn': ruleArns } },
});

test('each rule puts its events on the queue, in one group, and what cannot be put there on another', () => {
  expect(rules).toEqual(['BucketRequestRule', 'BucketCreationRule']);
  for (const rule of rules) {
    const target = { Arn: arnOf('RequestBucketQueue'), SqsParameters: { MessageGroupId: 'bucket-requests' } };
    const DeadLetterConfig = { Arn: arnOf('UndeliveredEvents') };
    expect(propertiesOf(deployed, rule).Targets).toEqual([{ Id: 'request-bucket', ...target, DeadLetterConfig }]);
  }
});

test('no rule is there before the queues take its events, and none of the policies waits for a rule', () => {
  const policies = ['RequestBucketQueuePolicy', 'UndeliveredEventsPolicy'];
  for (const rule of rules) expect(resources.Resources[rule]?.DependsOn).toEqual(policies);
  for (const policy of policies) expect(referencesIn(resources.Resources[policy])).not.toContain('BucketRequestRule');
});

test('what could not be delivered is kept for 14 days, encrypted, and sent there by these rules alone', () => {
  const queue = propertiesOf(deployed, 'UndeliveredEvents');
  expect(queue).toEqual({
    QueueName: 'longshore-production-undelivered-events',
    SqsManagedSseEnabled: true,
    MessageRetentionPeriod: 14 * 24 * 60 * 60,
  });
  expect(propertiesOf(deployed, 'UndeliveredEventsPolicy').Queues).toEqual([{ Ref: 'UndeliveredEvents' }]);
  expect(allowedBy('UndeliveredEventsPolicy')).toEqual([fromRulesTo('UndeliveredEvents')]);
  const statements = JSON.stringify(propertiesOf(deployed, 'UndeliveredEventsPolicy').PolicyDocument);
  expect(statements).toContain('"Condition":{"Bool":{"aws:SecureTransport":"false"}}');
  expect(Object.keys(resources.Outputs).filter((name) => name.startsWith('Undelivered'))).toEqual([]);
});

test('the queue takes events from these rules alone, and each once', () => {
  expect(propertiesOf(deployed, 'RequestBucketQueuePolicy').Queues).toEqual([{ Ref: 'RequestBucketQueue' }]);
  expect(allowedBy('RequestBucketQueuePolicy')).toEqual([fromRulesTo('RequestBucketQueue')]);
  expect(propertiesOf(deployed, 'RequestBucketQueue').ContentBasedDeduplication).toBe(true);
});

test('the function may send to its dead letters, knows the role of the driver, and is allowed nothing by default', () => {
  const [policy] = propertiesOf(deployed, 'RequestBucketRole').Policies as { PolicyDocument: Document }[];
  const sending = policy?.PolicyDocument.Statement.filter(({ Action }) => String(Action).includes('SendMessage')) ?? [];
  expect(sending.map(({ Resource }) => Resource)).toEqual([arnOf('RequestBucketDeadLetterQueue')]);
  const environment = functions['request-bucket']?.environment ?? {};
  expect(environment.LONGSHORE_DEAD_LETTERS_URL).toEqual({ Ref: 'RequestBucketDeadLetterQueue' });
  expect(referencesIn(environment.LONGSHORE_DRIVER_ROLE)).toEqual(referencesIn(functions['provision-bucket']?.role));
  expect(JSON.parse(String(file.params.default['bucket-requests']))).toEqual({ requests: [], adoptions: [] });
});

test('events are taken once any are allowed, and until then neither rules nor polling cost anything', () => {
  const requests = [{ source: 'shop', clusters: ['main'], namespaces: ['shop'], classes: ['standard'] }];
  const adoptions = [{ buckets: ['data-*'], cluster: 'main', namespace: 'data', bucketClass: 'existing' }];
  const stateOf = (made: Completed) => {
    const { events = [] } = made.functions['request-bucket'] ?? {};
    return [...rules.map((rule) => propertiesOf(made, rule).State), ...events.map(({ sqs }) => sqs?.enabled)];
  };
  expect(stateOf(deployed)).toEqual(['DISABLED', 'DISABLED', false]);
  for (const allowed of [
    { requests, adoptions: [] },
    { requests: [], adoptions },
  ]) {
    const made = completed({ 'bucket-requests': JSON.stringify(allowed) });
    expect(stateOf(made)).toEqual(['ENABLED', 'ENABLED', undefined]);
    expect(Object.keys(made.resources.Resources)).toEqual(
      expect.arrayContaining(['UndeliveredEventsAlarm', 'LostEventsAlarm']),
    );
  }
  const without = Object.keys(completed({ capabilities: 'transfers' }).resources.Resources);
  expect(without.filter((name) => /Rule|Undelivered|LostEvents/.test(name))).toEqual([]);
});
