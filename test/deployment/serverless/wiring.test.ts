import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  deadLetterQueueOf,
  type FunctionBlock,
  prefixByServerless,
  queueOf,
} from '../../../deployment/serverless/service.ts';
import { capabilities } from '../../../lib/capabilities/all-capabilities.ts';
import { capabilityNames } from '../../../lib/capabilities/names.ts';
import { completed, file, propertiesOf, referencesIn } from '../../support/completed-service.ts';

const deployed = completed();
const { functions, resources } = deployed;
const properties = (name: string) => propertiesOf(deployed, name);
const queueFed = Object.entries(functions).flatMap(([name, block]): [string, string][] => {
  const queue = queueOf(block);
  return queue ? [[name, queue]] : [];
});

test('each file of functions/ is deployed, with a role of its own', async () => {
  const files = await readdir(new URL('../../../functions', import.meta.url));
  const names = files.map((file) => basename(file, '.ts'));
  expect(Object.keys(functions).sort()).toEqual(names.sort());
  const roles = Object.values(functions).map(({ role }) => referencesIn(role)[0] ?? '');
  expect(new Set(roles).size).toBe(names.length);
  expect(roles.filter((role) => resources.Resources[role]?.Type !== 'AWS::IAM::Role')).toEqual([]);
});

test.each(queueFed)('%s has a FIFO queue, and one of its own for what fails', (name, queue) => {
  const deadLetters = deadLetterQueueOf(queue);
  const common = { FifoQueue: true, DeduplicationScope: 'messageGroup', FifoThroughputLimit: 'perMessageGroupId' };
  expect(properties(queue)).toMatchObject({
    ...common,
    QueueName: `longshore-production-${name}.fifo`,
    RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': [deadLetters, 'Arn'] }, maxReceiveCount: 8 },
  });
  const source = `arn:\${AWS::Partition}:sqs:\${AWS::Region}:\${AWS::AccountId}:longshore-production-${name}.fifo`;
  expect(properties(deadLetters)).toMatchObject({
    ...common,
    QueueName: `longshore-production-${name}-dead-letters.fifo`,
    RedriveAllowPolicy: { redrivePermission: 'byQueue', sourceQueueArns: [{ 'Fn::Sub': source }] },
    MessageRetentionPeriod: properties(queue).MessageRetentionPeriod,
  });
  const { environment = {}, events } = functions[name] ?? {};
  expect(environment).toMatchObject({
    LONGSHORE_FUNCTION: name,
    LONGSHORE_QUEUE_URL: { Ref: queue },
    LONGSHORE_MAX_RECEIVES: '8',
  });
  expect(events).toEqual([{ sqs: expect.objectContaining({ functionResponseType: 'ReportBatchItemFailures' }) }]);
  for (const each of [queue, deadLetters]) expect(resources.Outputs[`${each}Url`]).toEqual({ Value: { Ref: each } });
});

test.each(queueFed)('messages of %s cross no network in plain text', (_, queue) => {
  for (const each of [queue, deadLetterQueueOf(queue)]) {
    const policy = properties(`${each}Policy`);
    expect(policy.Queues).toEqual([{ Ref: each }]);
    expect(statementsOf(policy)).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Principal: '*',
        Action: expect.arrayContaining(['sqs:SendMessage', 'sqs:ReceiveMessage']),
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
  }
});

test('who forwards has the address of, and may send to, each queue that changes of a cluster lead to', () => {
  const told = new Set(capabilities.flatMap((capability) => capability.functions));
  for (const name of ['forward', 'resync', 'replay']) {
    const addresses = addressesOf(functions[name]?.environment.LONGSHORE_QUEUES);
    expect(Object.keys(addresses).sort()).toEqual([...told].sort());
    const role = referencesIn(functions[name]?.role)[0] ?? '';
    const sending = rightsOf(role).find(({ Action }) => Action === 'sqs:SendMessage*');
    const queues = Object.values(addresses).map((address) => address.replace(/^\$\{(.*)\}$/, '$1'));
    expect(referencesIn(sending?.Resource)).toEqual(queues);
  }
});

test('the forwarder alone may ask how much waits on the queues that it sends to', () => {
  const asking = Object.entries(functions).flatMap(([name, { role }]) => {
    const rights = rightsOf(referencesIn(role)[0] ?? '').filter(({ Action }) => Action === 'sqs:GetQueueAttributes');
    return rights.map(({ Resource }) => [name, referencesIn(Resource)]);
  });
  const addresses = addressesOf(functions.forward?.environment.LONGSHORE_QUEUES);
  const queues = Object.values(addresses).map((address) => address.replace(/^\$\{(.*)\}$/, '$1'));
  expect(asking).toEqual([['forward', queues]]);
});

test('each capability of the forwarder is deployed as a whole, or not at all', () => {
  const blocks: Record<string, FunctionBlock> = file.functions;
  for (const { functions: all } of capabilities) {
    expect(new Set(all.map((name) => blocks[name]?.capability)).size).toBe(1);
  }
  const named = Object.values(blocks).flatMap(({ capability }) => capability ?? []);
  expect([...new Set(named)].sort()).toEqual([...capabilityNames].sort());
});

test.each([
  {},
  { capabilities: 'transfers' },
  { capabilities: 'buckets' },
  { capabilities: 'data-sources' },
  { archive: 'off', alarms: 'off', drivers: '[]' },
  { 'kms-key': 'on', senders: 'arn:aws:iam::111122223333:role/operators', tracing: 'Active' },
])('with %j nothing refers to what is not there', (parameters) => {
  const made = completed(parameters);
  const byServerless = Object.keys(made.functions).map(prefixByServerless);
  const there = new Set([
    ...Object.keys(made.resources.Resources),
    ...byServerless.flatMap((prefix) => [`${prefix}LambdaFunction`, `${prefix}LogGroup`]),
  ]);
  const missing = referencesIn([made.functions, made.resources]).filter(
    (name) => !name.startsWith('AWS::') && !there.has(name),
  );
  expect(missing).toEqual([]);
  expect(Object.keys(made.resources.extensions).filter((name) => !there.has(name))).toEqual([]);
});

test('what is left out leaves no queue behind, and is not forwarded', () => {
  const made = completed({ capabilities: 'transfers' });
  const queues = Object.keys(made.resources.Resources).filter((name) => name.endsWith('Queue'));
  expect(queues.filter((name) => !/^(Match|Rebind)/.test(name))).toEqual([]);
  expect(JSON.stringify(made.functions.forward?.environment.LONGSHORE_QUEUES)).not.toContain('bucket');
  expect(made.resources.Resources.BucketRequestRule).toBeUndefined();
});

function addressesOf(variable: unknown): Record<string, string> {
  return JSON.parse((variable as { 'Fn::Sub': string })['Fn::Sub']);
}

interface Statement {
  Action: unknown;
  Resource: unknown;
}

function statementsOf(policy: Record<string, unknown>): Statement[] {
  return (policy.PolicyDocument as { Statement: Statement[] }).Statement;
}

function rightsOf(role: string): Statement[] {
  const [policy = {}] = properties(role).Policies as Record<string, unknown>[];
  return statementsOf(policy);
}
