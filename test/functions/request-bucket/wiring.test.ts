import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

const text = await readFile(new URL('../../../serverless.yml', import.meta.url), 'utf8');
const customTags = ['!GetAtt', '!Ref', '!Sub'].map((tag) => ({ tag, resolve: (value: string) => value }));
const { functions, resources, params } = parse(text, { merge: true, customTags });
const all = resources.Resources;
const propertiesOf = (name: string) => all[name].Properties;
const rules = Object.keys(all).filter((name) => all[name].Type === 'AWS::Events::Rule');

test('each rule puts its events on the queue, in one group', () => {
  expect(rules).toEqual(['BucketRequestRule', 'BucketCreationRule']);
  for (const rule of rules) {
    const target = { Arn: 'RequestBucketQueue.Arn', SqsParameters: { MessageGroupId: 'bucket-requests' } };
    expect(propertiesOf(rule).Targets).toEqual([{ Id: 'request-bucket', ...target }]);
  }
});

test('the queue takes events from these rules alone, and each once', () => {
  const { Queues, PolicyDocument } = propertiesOf('RequestBucketQueuePolicy');
  expect(Queues).toEqual(['RequestBucketQueue']);
  expect(PolicyDocument.Statement).toEqual([
    {
      Effect: 'Allow',
      Principal: { Service: 'events.amazonaws.com' },
      Action: 'sqs:SendMessage',
      Resource: 'RequestBucketQueue.Arn',
      Condition: { ArnEquals: { 'aws:SourceArn': rules.map((rule) => `${rule}.Arn`) } },
    },
  ]);
  expect(propertiesOf('RequestBucketQueue').ContentBasedDeduplication).toBe(true);
});

test('the function may send to its dead letters, knows the role of the driver, and is allowed nothing by default', () => {
  const { Statement } = propertiesOf('RequestBucketRole').Policies[0].PolicyDocument;
  const sending = Statement.filter(({ Action }: { Action: unknown }) => String(Action).includes('SendMessage'));
  expect(sending.map(({ Resource }: { Resource: unknown }) => Resource)).toEqual(['RequestBucketDeadLetterQueue.Arn']);
  expect(functions['request-bucket'].environment).toMatchObject({
    LONGSHORE_DEAD_LETTERS_URL: 'RequestBucketDeadLetterQueue',
    LONGSHORE_DRIVER_ROLE: `${functions['provision-bucket'].role}.Arn`,
  });
  expect(JSON.parse(params.default['bucket-requests'])).toEqual({ requests: [], adoptions: [] });
});
