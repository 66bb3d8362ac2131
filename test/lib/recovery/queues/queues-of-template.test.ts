import { describe, expect, test } from '@jest/globals';
import type { StackFacts } from '../../../../lib/recovery/queues/intrinsic-functions.ts';
import { resolve } from '../../../../lib/recovery/queues/intrinsic-functions.ts';
import { queueNamesIn, queuesIn, type Template } from '../../../../lib/recovery/queues/queues-of-template.ts';

const template: Template = {
  Resources: {
    StepQueue: {
      Type: 'AWS::SQS::Queue',
      Properties: {
        QueueName: 'longshore-x-step.fifo',
        FifoQueue: true,
        VisibilityTimeout: 180,
        Tags: [{ Key: 'a', Value: 'b' }],
        RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['StepDeadLetterQueue', 'Arn'] }, maxReceiveCount: 8 },
      },
    },
    StepDeadLetterQueue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'longshore-x-step-dead-letters.fifo' } },
    StepQueuePolicy: {
      Type: 'AWS::SQS::QueuePolicy',
      Properties: {
        Queues: [{ Ref: 'StepQueue' }],
        PolicyDocument: {
          Statement: [{ Resource: { 'Fn::GetAtt': ['StepQueue', 'Arn'] }, Action: 'sqs:SendMessage' }],
        },
      },
    },
    Other: { Type: 'AWS::S3::Bucket' },
  },
};

const facts: StackFacts = {
  partition: 'aws',
  region: 'eu-central-1',
  account: '111122223333',
  resources: new Map([
    ['Rule', { type: 'AWS::Events::Rule', physicalId: 'longshore-x-rule' }],
    ['Role', { type: 'AWS::IAM::Role', physicalId: 'longshore-x-role' }],
    ['Key', { type: 'AWS::KMS::Key', physicalId: 'arn:aws:kms:eu-central-1:111122223333:key/1' }],
    ['Table', { type: 'AWS::DynamoDB::Table', physicalId: 'table' }],
  ]),
  queueNames: queueNamesIn(template),
};

test('the queues of a template are as SQS takes them, each after the one that its dead letters go to', () => {
  const arn = 'arn:aws:sqs:eu-central-1:111122223333:longshore-x-step';
  expect(queuesIn(template, facts)).toEqual([
    { name: 'longshore-x-step-dead-letters.fifo', attributes: {} },
    {
      name: 'longshore-x-step.fifo',
      attributes: {
        FifoQueue: 'true',
        VisibilityTimeout: '180',
        RedrivePolicy: `{"deadLetterTargetArn":"${arn}-dead-letters.fifo","maxReceiveCount":8}`,
        Policy: `{"Statement":[{"Resource":"${arn}.fifo","Action":"sqs:SendMessage"}]}`,
      },
    },
  ]);
});

describe('what a template refers to', () => {
  test.each([
    ['a resource by its id', { Ref: 'Rule' }, 'longshore-x-rule'],
    ['the region', { Ref: 'AWS::Region' }, 'eu-central-1'],
    [
      'the ARN of a rule',
      { 'Fn::GetAtt': ['Rule', 'Arn'] },
      'arn:aws:events:eu-central-1:111122223333:rule/longshore-x-rule',
    ],
    ['the ARN of a role', { 'Fn::GetAtt': 'Role.Arn' }, 'arn:aws:iam::111122223333:role/longshore-x-role'],
    ['the ARN of a key', { 'Fn::GetAtt': ['Key', 'Arn'] }, 'arn:aws:kms:eu-central-1:111122223333:key/1'],
    ['a text with some of it', { 'Fn::Sub': `arn:\${AWS::Partition}:x:\${Rule}` }, 'arn:aws:x:longshore-x-rule'],
    ['parts of a text', { 'Fn::Join': ['-', ['a', { Ref: 'AWS::AccountId' }]] }, 'a-111122223333'],
    ['something within others', [{ a: { Ref: 'Rule' }, b: 1 }], [{ a: 'longshore-x-rule', b: 1 }]],
  ])('%s is found', (_, value, expected) => {
    expect(resolve(value, facts)).toEqual(expected);
  });

  test.each([
    [{ 'Fn::If': ['a', 'b', 'c'] }, 'the template has Fn::If, which is not supported here'],
    [{ Ref: 'Nothing' }, 'the stack has no Nothing'],
    [{ 'Fn::GetAtt': ['Table', 'Arn'] }, 'the template has Table.Arn, of a AWS::DynamoDB::Table'],
    [{ 'Fn::GetAtt': ['Role', 'RoleId'] }, 'the template has Role.RoleId'],
  ])('is refused rather than guessed: %j', (value, problem) => {
    expect(() => resolve(value, facts)).toThrow(problem);
  });
});
