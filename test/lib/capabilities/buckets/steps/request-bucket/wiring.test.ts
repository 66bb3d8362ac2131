import { expect, test } from '@jest/globals';
import { completed, file, propertiesOf, referencesIn } from '../../../../../support/completed-service.ts';

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

test('events that were not delivered are an alarm, and so are those that could not be kept either', () => {
  expect(propertiesOf(deployed, 'UndeliveredEventsAlarm')).toMatchObject({
    MetricName: 'ApproximateNumberOfMessagesVisible',
    Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': ['UndeliveredEvents', 'QueueName'] } }],
    Threshold: 0,
  });
  for (const rule of rules) {
    expect(propertiesOf(deployed, `${rule}Alarm`)).toMatchObject({
      MetricName: 'InvocationsFailedToBeSentToDlq',
      Dimensions: [{ Name: 'RuleName', Value: { Ref: rule } }],
    });
  }
  const without = Object.keys(completed({ capabilities: 'transfers' }).resources.Resources);
  expect(without.filter((name) => /Rule|Undelivered/.test(name))).toEqual([]);
});
