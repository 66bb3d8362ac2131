import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

interface Properties {
  readonly QueueName?: string;
  readonly FifoQueue?: boolean;
  readonly VisibilityTimeout?: string;
  readonly RedrivePolicy?: { readonly deadLetterTargetArn: string; readonly maxReceiveCount: string };
}

interface Service {
  readonly params: { readonly default: Record<string, number | string> };
  readonly functions: Record<
    string,
    {
      readonly role: string;
      readonly environment: Record<string, string>;
      readonly events: readonly { readonly sqs?: { readonly arn: string; readonly functionResponseType: string } }[];
    }
  >;
  readonly resources: {
    readonly Resources: Record<string, { readonly Type: string; readonly Properties: Properties }>;
    readonly Outputs: Record<string, object>;
  };
}

const text = await readFile(new URL('../../../serverless.yml', import.meta.url), 'utf8');
// A reference to a resource is read as its plain text: "MatchTransferQueue.Arn".
const customTags = ['!GetAtt', '!Ref', '!Sub'].map((tag) => ({ tag, resolve: (value: string) => value }));
const service: Service = parse(text, { merge: true, customTags });
const resources = service.resources.Resources;
const resource = (arn = ''): Properties => resources[arn.replace(/\.Arn$/, '')]?.Properties ?? {};
// A schedule starts these.
const scheduled = ['forward', 'sweep-buckets'];
const steps = Object.entries(service.functions).filter(([name]) => !scheduled.includes(name));

test('every function has a role of its own', () => {
  const roles = Object.values(service.functions).map((each) => each.role);
  expect(new Set(roles).size).toBe(roles.length);
  expect(roles.map((role) => resources[role]?.Type)).toEqual(roles.map(() => 'AWS::IAM::Role'));
});

test.each(steps)('%s has a FIFO queue, and a FIFO queue for what fails', (name, step) => {
  const [sqs] = step.events.flatMap((event) => event.sqs ?? []);
  const queue = resource(sqs?.arn);
  const deadLetters = resource(queue.RedrivePolicy?.deadLetterTargetArn);
  expect([queue.FifoQueue, queue.QueueName?.endsWith(`-${name}.fifo`)]).toEqual([true, true]);
  expect([deadLetters.FifoQueue, deadLetters.QueueName?.endsWith(`-${name}-dead-letters.fifo`)]).toEqual([true, true]);
  expect(sqs?.functionResponseType).toBe('ReportBatchItemFailures');
  expect(step.environment.LONGSHORE_QUEUE_URL).toBe(sqs?.arn.replace('.Arn', ''));
  expect(step.environment.LONGSHORE_MAX_RECEIVES).toBe(queue.RedrivePolicy?.maxReceiveCount);
});

test('every function knows its name, and the forwarder the queue of every other that changes of a cluster lead to', () => {
  for (const [name, each] of Object.entries(service.functions)) expect(each.environment.LONGSHORE_FUNCTION).toBe(name);
  const queues = JSON.parse(service.functions.forward?.environment.LONGSHORE_QUEUES ?? '');
  // What request-bucket works on are events of the account.
  expect([...Object.keys(queues), 'request-bucket']).toEqual(steps.map(([name]) => name));
});

test('the forwarder may send to each of its queues, and an output tells where each queue is', () => {
  const forwarded = Object.values(JSON.parse(service.functions.forward?.environment.LONGSHORE_QUEUES ?? '') as object);
  const names = forwarded.map((reference: string) => reference.replace(/^\$\{(.*)\}$/, '$1'));
  const role = JSON.stringify(resources.ForwardRole);
  expect(names.filter((name) => !role.includes(`"${name}.Arn"`))).toEqual([]);
  const queues = Object.keys(resources).filter((name) => resources[name]?.Type === 'AWS::SQS::Queue');
  expect(Object.keys(service.resources.Outputs)).toEqual(expect.arrayContaining(queues.map((name) => `${name}Url`)));
});

test('a message stays hidden for six times as long as its function may take', () => {
  const defaults = service.params.default;
  expect(defaults['step-visibility-timeout-seconds']).toBe(6 * Number(defaults['step-timeout-seconds']));
});
