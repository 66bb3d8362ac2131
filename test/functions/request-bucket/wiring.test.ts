import { expect, test } from '@jest/globals';
import { completed, file, propertiesOf, referencesIn } from '../../support/completed-service.ts';

const deployed = completed();
const { functions, resources } = deployed;
const rules = Object.keys(resources.Resources).filter(
  (name) => resources.Resources[name]?.Type === 'AWS::Events::Rule',
);
const arnOf = (name: string) => ({ 'Fn::GetAtt': [name, 'Arn'] });

interface Document {
  Statement: { Sid?: string; Effect: string; Action: unknown; Resource: unknown }[];
}

test('each rule puts its events on the queue, in one group', () => {
  expect(rules).toEqual(['BucketRequestRule', 'BucketCreationRule']);
  for (const rule of rules) {
    const target = { Arn: arnOf('RequestBucketQueue'), SqsParameters: { MessageGroupId: 'bucket-requests' } };
    expect(propertiesOf(deployed, rule).Targets).toEqual([{ Id: 'request-bucket', ...target }]);
  }
});

test('the queue takes events from these rules alone, and each once', () => {
  const { Queues, PolicyDocument } = propertiesOf(deployed, 'RequestBucketQueuePolicy');
  expect(Queues).toEqual([{ Ref: 'RequestBucketQueue' }]);
  const allowed = (PolicyDocument as Document).Statement.filter(({ Effect }) => Effect === 'Allow');
  expect(allowed).toEqual([
    {
      Sid: 'FromRules',
      Effect: 'Allow',
      Principal: { Service: 'events.amazonaws.com' },
      Action: 'sqs:SendMessage',
      Resource: arnOf('RequestBucketQueue'),
      Condition: { ArnEquals: { 'aws:SourceArn': rules.map(arnOf) } },
    },
  ]);
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
