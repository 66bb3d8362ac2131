import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildApp } from 'fauxqs';
import { about, archiveOf, timeOf } from '../../lib/recovery/replay/case-replay.ts';
import { bareEnvironment } from '../../support/bare-environment.ts';

const main = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url));
/** S3 and SQS in this process, and of CloudFormation the one answer that is asked for. */
const server = buildApp({ logger: false });
const outputs = new Map<string, string>();
const stacks = createServer((_, response) => {
  const members = [...outputs].map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  response.end(
    `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>longshore-test</StackName><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  );
});
const messages = 400;
const range = ['--from', timeOf(0).toISOString(), '--to', timeOf(3_600).toISOString(), '--stage', 'test'];
let environment: Record<string, string> = {};
let sqs: SQSClient;
let queueUrl = '';
const children: ChildProcess[] = [];

beforeAll(async () => {
  const endpoint = await server.listen({ port: 0, host: '127.0.0.1' });
  await once(stacks.listen(0, '127.0.0.1'), 'listening');
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const settings = { endpoint, region: 'eu-central-1', credentials };
  const s3 = new S3Client(settings);
  sqs = new SQSClient(settings);
  await s3.send(new CreateBucketCommand({ Bucket: 'archive' }));
  const all = Array.from({ length: messages }, (_, index) => `claim-${index}`);
  for (const [Key, Body] of archiveOf(about(...all), 20).objects) {
    await s3.send(new PutObjectCommand({ Bucket: 'archive', Key, Body }));
  }
  s3.destroy();
  const made = await sqs.send(new CreateQueueCommand({ QueueName: 'q.fifo', Attributes: { FifoQueue: 'true' } }));
  queueUrl = made.QueueUrl ?? '';
  for (const name of ['MatchClaim', 'RequestBucket']) {
    outputs.set(`${name}QueueUrl`, queueUrl);
    outputs.set(`${name}DeadLetterQueueUrl`, `${queueUrl}-dead`);
  }
  outputs.set('ArchiveBucketName', 'archive');
  environment = {
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_CLOUDFORMATION: `http://127.0.0.1:${(stacks.address() as AddressInfo).port}`,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  sqs.destroy();
  stacks.close();
  await server.close();
});

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the command; what it says is given to whoever wants to act upon it. */
async function longshore(args: string[], onStderr: (text: string, child: ChildProcess) => void = () => {}) {
  const child = spawn(process.execPath, [main, ...args], { env: bareEnvironment(environment) });
  children.push(child);
  const ended: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    ended.stdout += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    ended.stderr += chunk;
    onStderr(ended.stderr, child);
  });
  await once(child, 'close');
  ended.code = child.exitCode;
  return ended;
}

async function queued(): Promise<number> {
  const asked = { QueueUrl: queueUrl, AttributeNames: ['ApproximateNumberOfMessages' as const] };
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand(asked));
  return Number(Attributes?.ApproximateNumberOfMessages);
}

test('a dry run counts, and its figures are all that it prints where they can be piped', async () => {
  const { code, stdout, stderr } = await longshore(['replay', ...range, '--name', 'claim-3', '--dry-run']);
  // On a busy machine it shows how far it has come.
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^(\d+ % counted .*\n)*$/)]);
  expect(stdout).toContain(`would replay 1 of the ${messages} messages`);
  expect(stdout).toContain('left out: 399 that were not selected');
  expect(await queued()).toBe(0);
});

test('Ctrl-C stops a replay with the command to go on with, and that command brings all that is left', async () => {
  let isTold = false;
  const stopped = await longshore(['replay', ...range, '--rate', '100'], (text, child) => {
    if (!isTold && text.includes('run replay-')) {
      isTold = true;
      child.kill('SIGINT');
    }
  });
  expect(stopped.code).toBe(130);
  expect(stopped.stderr).toContain('stopping: waiting for messages in flight\nstopped before the end\n');
  const before = await queued();
  expect(before).toBeLessThan(messages);
  expect(stopped.stdout).toContain(`replayed ${before} of the first ${before} messages`);
  const [, command = ''] =
    /to continue: longshore (replay --resume \S+ --stage test --rate 100)\n/.exec(stopped.stderr) ?? [];
  const resumed = await longshore(command.replace('--rate 100', '--rate 5000').split(' '));
  expect([resumed.code, await queued()]).toEqual([0, messages]);
  expect(resumed.stdout).toContain(`replayed ${messages} of the ${messages} messages`);
});

test.each([
  [['--from', '1h', '--stage', 'test'], 'the archive has nothing from'],
  [[...range, '--cluster', 'edge'], 'the archive has no messages about a cluster edge; it has main'],
  [[...range, '--function', 'request-bucket'], 'messages cannot be replayed to a function request-bucket'],
  [['--resume', 'replay-0', '--stage', 'test'], 'there is no run "replay-0" in s3://archive/replays/'],
])('%j is refused in one line', async (args, problem) => {
  const { code, stdout, stderr } = await longshore(['replay', ...args]);
  expect([code, stdout, stderr.trim().split('\n')]).toEqual([1, '', [expect.stringContaining(problem)]]);
});

test('a cluster that the deployment does not serve is refused, and left out where none is named', async () => {
  outputs.set('ClusterNames', '["edge"]');
  try {
    const named = await longshore(['replay', ...range, '--cluster', 'main']);
    expect([named.code, named.stderr]).toEqual([
      2,
      expect.stringContaining('longshore-test has no cluster "main"; it has edge'),
    ]);
    const { code, stdout, stderr } = await longshore(['replay', ...range, '--dry-run']);
    const nothing = 'the archive has no messages about edge; it has main';
    expect([code, stdout, stderr.trim()]).toEqual([1, '', nothing]);
  } finally {
    outputs.delete('ClusterNames');
  }
});

test('a deployment without an archive is told so, and may replay one that a former deployment has left', async () => {
  outputs.delete('ArchiveBucketName');
  try {
    const { code, stderr } = await longshore(['replay', ...range]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('longshore-test has no archive to replay')]);
    const given = await longshore(['replay', ...range, '--archive', 'archive', '--dry-run']);
    expect([given.code, given.stdout]).toEqual([0, expect.stringContaining(`would replay ${messages} of the`)]);
  } finally {
    outputs.set('ArchiveBucketName', 'archive');
  }
});

test('a command that is called wrongly is refused before anything is asked of anybody, and says where its usage is', async () => {
  const { code, stderr } = await longshore(['replay', '--from', '1h', '--to', '2h']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--from must be before --to')]);
  expect(stderr).toContain("See 'longshore replay --help'.");
});
