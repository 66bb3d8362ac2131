import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { deadLettersTo } from '../../../lib/capabilities/buckets/requests/refused-requests.ts';
import { creating } from '../../lib/capabilities/buckets/steps/request-bucket/samples.ts';
import { pairOf, start } from './case-aws.ts';
import { withDeadLetters } from './case-dead-letters.ts';

const { started, run, remaining } = withDeadLetters();

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(10);
}

describe('the list', () => {
  test('has a block for each object, and says what a redrive would do', async () => {
    const { status, stdout, stderr } = await run(['dlq']);
    expect(status).toBe(0);
    expect(stdout).toContain('match-transfer  StorageTransferRequest stage/db1 of cluster main\n');
    expect(stdout).toContain('state   unknown: cluster main was not read');
    expect(stdout).toContain('state   unknown-cluster: the deployment serves "main", not "elsewhere"');
    expect(stdout).toContain('3 dead letters in longshore-test: 1 unknown, 1 unknown-cluster, 1 malformed');
    expect(stdout).toContain('longshore redrive would send 1 of them again, and leave 2 where they are');
    expect(stderr).toContain('use --context main=<context of your kubeconfig> to read it');
    expect(stderr).toContain('match-transfer: about 2 more that SQS does not hand out now');
    expect(stdout).toContain('match-transfer  malformed message\n');
    expect(stdout).toContain('state   malformed: it can only fail again\n');
    // Nothing that would do more to a terminal than be read.
    expect(stdout).toContain('body    no JSON ??31m\n');
    expect(stdout).not.toMatch(/[^\n\P{Cc}]|\p{Cf}/u);
  });

  test('hides nothing from the next command, and asks for no logs where it is told', async () => {
    started().logs.asked = 0;
    expect(JSON.parse((await run(['dlq', '--json', '--no-logs'])).stdout).length).toBe(3);
    expect(started().logs.asked).toBe(0);
    expect(await remaining()).toBe(5);
  });

  test('tells what was logged of each message, and when', async () => {
    const first = (await run(['dlq', '--json', '--name', 'db1'])).stdout;
    const [{ messageId, sent }] = JSON.parse(first);
    // A letter counts anew from its move, at which its failures and a rest after the last one are over.
    const earlier = (minutes: number) => Date.parse(sent) - minutes * 60_000;
    const line = (error: string) => JSON.stringify({ message: 'message failed', messageId, error });
    started().logs.lines = [
      { timestamp: earlier(50), message: line('no answer') },
      { timestamp: earlier(15), message: line('password=hidden: forbidden') },
    ];
    const { stdout } = await run(['dlq', '--json', '--name', 'db1']);
    expect(JSON.parse(stdout)[0]).toMatchObject({
      function: 'match-transfer',
      cluster: 'main',
      kind: 'StorageTransferRequest',
      namespace: 'stage',
      name: 'db1',
      firstFailure: new Date(earlier(50)).toISOString(),
      lastFailure: new Date(earlier(15)).toISOString(),
      errorFrom: 'log',
      error: expect.stringMatching(/^password=\[left out\].*forbidden$/),
    });
    started().logs.lines = [];
  });

  test('does without logs that may not be read, and says so', async () => {
    started().logs.refusal = 'AccessDeniedException';
    const { status, stderr } = await run(['dlq']);
    expect([status, stderr]).toEqual([0, expect.stringContaining('cannot be read: it is not allowed')]);
    started().logs.refusal = undefined;
  });

  test('has the reason that a request was refused for', async () => {
    const { urls, client } = pairOf(started(), 'request-bucket');
    const reason = 'source "team.other" may not request anything';
    await deadLettersTo(urls.deadLetterUrl, client)({ body: creating(), reason, messageId: '1', group: 'reports' });
    const { stdout } = await run(['dlq', '--function', 'request-bucket']);
    expect(stdout).toContain('request-bucket  Bucket team-a/reports of cluster main\n');
    expect(stdout).toContain(`error   ${reason}\n`);
  });

  test('says so where there is nothing', async () => {
    for (const older of [[], ['--older-than', '2d']]) {
      const { stdout } = await run(['dlq', '--function', 'request-bucket', ...older]);
      expect(stdout).toBe('no dead letters in longshore-test\n');
    }
  });
});

describe('what another command holds', () => {
  const held =
    'match-transfer: about 3 held by another command, and visible again when it ends, or two minutes after it';

  test('is told of, and nobody hears that there is nothing', async () => {
    const { queue } = pairOf(started(), 'match-transfer');
    const deadLetters = await queue.receive(120);
    const listed = await run(['dlq']);
    expect(listed.stdout).toBe('no dead letter of longshore-test can be read now\n');
    expect(listed.stderr).toContain(held);
    expect((await run(['dlq', 'drop', '--all', '--yes'])).stderr).toContain(held);
    expect((await run(['redrive'])).stdout).toContain('3 or so held by another command');
    await queue.hide(deadLetters, 0);
    expect(await remaining()).toBe(5);
  });
});

test('a list that was stopped does not look whole', async () => {
  started().logs.asked = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  started().logs.answering = promise;
  const { child, ended } = start(['dlq'], started().environment);
  await until(() => started().logs.asked > 0);
  child.kill('SIGINT');
  child.stderr.once('data', () => resolve());
  const { status, stdout, stderr } = await ended;
  expect([status, stderr]).toEqual([
    130,
    expect.stringContaining('stopped: the list is incomplete, with 3 dead letters'),
  ]);
  expect(stdout).not.toContain('in longshore-test');
});
