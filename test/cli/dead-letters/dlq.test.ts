import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { dlq } from '../../../cli/dlq.ts';
import { redrive } from '../../../cli/redrive.ts';
import { UsageError } from '../../../cli/usage-error.ts';
import { deadLettersTo } from '../../../lib/buckets/requests/dead-letters.ts';
import { creating } from '../../functions/request-bucket/samples.ts';
import { messageAbout } from '../../lib/recovery/dead-letters/case-queues.ts';
import { pairOf, run, start, startAws } from './case-aws.ts';

let aws: Awaited<ReturnType<typeof startAws>>;

const malformed = { ...messageAbout('x'), body: 'no JSON \u202e\u009b31m' };
/** Of a group with three there is one to be seen at a time; the others are of an unknown cluster, and no message. */
const letters = [
  ...[1, 2, 3].map((version) => messageAbout('db1', version)),
  messageAbout('db2', 1, 'elsewhere'),
  malformed,
];

beforeAll(async () => {
  aws = await startAws(['match-transfer', 'request-bucket'], ['main']);
});
afterAll(() => aws.stop());
beforeEach(async () => {
  for (const pair of Object.values(aws.pairs)) await pair.buried();
  await pairOf(aws, 'match-transfer').bury(letters.map(once));
});

let count = 0;
/** A queue does not take the same message twice. */
function once<T extends { deduplicationId: string }>(message: T): T {
  count += 1;
  return { ...message, deduplicationId: `${message.deduplicationId.slice(0, 50)}${count}` };
}

/** What there is, as soon as there is anything. */
async function untilSome<T>(take: () => Promise<T[]>): Promise<T[]> {
  for (;;) {
    const some = await take();
    if (some.length > 0) return some;
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(10);
}

const remaining = async () => (await pairOf(aws, 'match-transfer').buried()).length;

describe('the list', () => {
  test('has a block for each object, and says what a redrive would do', async () => {
    const { status, stdout, stderr } = await aws.run(['dlq']);
    expect(status).toBe(0);
    expect(stdout).toContain('match-transfer  StorageTransferRequest stage/db1 of cluster main\n');
    expect(stdout).toContain('stands  unknown: cluster main was not looked into');
    expect(stdout).toContain('stands  unknown-cluster: the deployment serves "main", not "elsewhere"');
    expect(stdout).toContain('3 dead letters in longshore-test: 1 unknown, 1 unknown-cluster, 1 malformed');
    expect(stdout).toContain('longshore redrive would send 1 of them again, and leave 2 where they are');
    expect(stderr).toContain('say by --context main=<context of your kubeconfig> how it is reached');
    expect(stderr).toContain('match-transfer: about 2 more that are not handed out now');
    expect(stdout).toContain('match-transfer  what is no message\n');
    expect(stdout).toContain('stands  malformed: it can but fail again\n');
    // Nothing that would do more to a terminal than be read.
    expect(stdout).toContain('body    no JSON ??31m\n');
    expect(stdout).not.toMatch(/[^\n\P{Cc}]|\p{Cf}/u);
  });

  test('hides nothing from the next command, and asks for no logs where it is told', async () => {
    aws.logs.asked = 0;
    expect((await aws.run(['dlq', '--json', '--no-logs'])).stdout.split('\n').length).toBe(4);
    expect(aws.logs.asked).toBe(0);
    expect(await remaining()).toBe(5);
  });

  test('tells what was logged of each message, and when', async () => {
    const first = (await aws.run(['dlq', '--json', '--name', 'db1'])).stdout;
    const { messageId, sent } = JSON.parse(first);
    // A letter counts anew from its move, at which its failures and a rest after the last one are over.
    const earlier = (minutes: number) => Date.parse(sent) - minutes * 60_000;
    const line = (error: string) => JSON.stringify({ message: 'message failed', messageId, error });
    aws.logs.lines = [
      { timestamp: earlier(50), message: line('no answer') },
      { timestamp: earlier(15), message: line('password=hidden: forbidden') },
    ];
    const { stdout } = await aws.run(['dlq', '--json', '--name', 'db1']);
    expect(JSON.parse(stdout)).toMatchObject({
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
    aws.logs.lines = [];
  });

  test('does without logs that may not be read, and says so', async () => {
    aws.logs.refusal = 'AccessDeniedException';
    const { status, stderr } = await aws.run(['dlq']);
    expect([status, stderr]).toEqual([0, expect.stringContaining('cannot be read: it is not allowed')]);
    aws.logs.refusal = undefined;
  });

  test('has the reason that a request was refused for', async () => {
    const { urls, client } = pairOf(aws, 'request-bucket');
    const reason = 'source "team.other" may not ask for anything';
    await deadLettersTo(urls.deadLetterUrl, client)({ body: creating(), reason, messageId: '1', lane: 'reports' });
    const { stdout } = await aws.run(['dlq', '--function', 'request-bucket']);
    expect(stdout).toContain('request-bucket  Bucket team-a/reports of cluster main\n');
    expect(stdout).toContain(`error   ${reason}\n`);
  });

  test('says so where there is nothing', async () => {
    for (const older of [[], ['--older-than', '2d']]) {
      const { stdout } = await aws.run(['dlq', '--function', 'request-bucket', ...older]);
      expect(stdout).toBe('no dead letters in longshore-test\n');
    }
  });
});

describe('drop', () => {
  test.each([
    ['without an answer', ''],
    ['with the words for another number of letters', 'remove 4\n'],
  ])('removes nothing %s', async (_, input) => {
    const { status, stderr } = await aws.run(['dlq', 'drop'], input);
    expect([status, stderr]).toEqual([1, expect.stringContaining('not confirmed: 3 dead letters are still there')]);
    expect(stderr).toContain('Remove 3 dead letters of longshore-test for good');
    expect(await remaining()).toBe(5);
  });

  test('removes what was confirmed, and asks again for what comes to light then', async () => {
    const { status, stdout, stderr } = await aws.run(['dlq', 'drop'], 'remove 3\nremove 1\n');
    expect([status, stdout]).toEqual([1, '4 dead letters removed from longshore-test\n']);
    expect(stderr.match(/Type "remove 1" to do so/g)).toHaveLength(2);
    expect(stderr).toContain('not confirmed: 1 dead letter is still there');
    expect(await remaining()).toBe(1);
  });

  test('removes all there is, where it is told to ask nobody, and lists it all the same', async () => {
    const { status, stdout, stderr } = await aws.run(['dlq', 'drop', '--yes']);
    expect([status, stdout]).toEqual([0, '5 dead letters removed from longshore-test\n']);
    expect(stderr.match(/StorageTransferRequest stage\/db1 of cluster main/g)).toHaveLength(3);
    expect(stderr).toContain('StorageTransferRequest stage/db2 of cluster elsewhere');
    expect(await remaining()).toBe(0);
  });

  test('removes only what is selected, or only what is hopeless', async () => {
    expect((await aws.run(['dlq', 'drop', '--yes', '--hopeless'])).stdout).toContain('2 dead letters removed');
    expect((await aws.run(['dlq', 'drop', '--yes', '--name', 'db2'])).stdout).toContain('0 dead letters removed');
    expect(await remaining()).toBe(3);
  });
});

describe('what is in the hands of another command', () => {
  const held =
    'match-transfer: about 3 in the hands of another command, and back when it ends, or two minutes after it';

  test('is told of, and nobody hears that there is nothing', async () => {
    const { queue } = pairOf(aws, 'match-transfer');
    const letters = await queue.receive(120);
    const listed = await aws.run(['dlq']);
    expect(listed.stdout).toBe('no dead letter of longshore-test can be had now\n');
    expect(listed.stderr).toContain(held);
    expect((await aws.run(['dlq', 'drop', '--yes'])).stderr).toContain(held);
    expect((await aws.run(['redrive'])).stdout).toContain('3 or so in the hands of another command');
    await queue.hide(letters, 0);
    expect(await remaining()).toBe(5);
  });
});

test('a list that was stopped does not look whole', async () => {
  aws.logs.asked = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  aws.logs.answering = promise;
  const { child, ended } = start(['dlq'], aws.environment);
  await until(() => aws.logs.asked > 0);
  child.kill('SIGINT');
  child.stderr.once('data', () => resolve());
  const { status, stdout, stderr } = await ended;
  expect([status, stderr]).toEqual([1, expect.stringContaining('stopped: the list is not whole, with 3 dead letters')]);
  expect(stdout).not.toContain('in longshore-test');
});

describe('redrive', () => {
  test('moves all but what is hopeless, in the order of its group', async () => {
    const { status, stdout } = await aws.run(['redrive']);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/^match-transfer: 3 moved, 2 left as hopeless\n3 dead letters moved by run redrive\./),
    ]);
    const arrived = await pairOf(aws, 'match-transfer').arrived();
    const ids = arrived.map(({ body }) => JSON.parse(body).id);
    expect(ids).toEqual(letters.slice(0, 3).map(({ body }) => JSON.parse(body).id));
    expect(await remaining()).toBe(2);
  });

  test('moves everything where it is told to', async () => {
    expect((await aws.run(['redrive', '--hopeless', 'include'])).stdout).toContain('5 dead letters moved');
    expect((await pairOf(aws, 'match-transfer').arrived()).length).toBe(5);
  });

  test('gives back what is in its hands when it is stopped, and goes on when it is called again', async () => {
    const pair = pairOf(aws, 'match-transfer');
    await pair.bury(Array.from({ length: 8 }, (_, index) => once(messageAbout(`more-${index}`))));
    const running = start(['redrive', '--rate', '1'], aws.environment);
    const before = await untilSome(pair.arrived);
    running.child.kill('SIGINT');
    const { status, stderr } = await running.ended;
    expect([status, stderr]).toEqual([1, expect.stringContaining('the same call goes on with it')]);
    const since = await pair.arrived();
    expect((await aws.run(['redrive'])).status).toBe(0);
    const rest = await pair.arrived();
    expect(rest.length).toBeGreaterThan(0);
    expect(before.length + since.length + rest.length).toBe(3 + 8);
  });

  test('moves nothing when it is dry, and only what is selected otherwise', async () => {
    expect((await aws.run(['redrive', '--dry-run'])).stdout).toContain('1 dead letter would be moved');
    expect((await aws.run(['redrive', '--kind', 'bucket'])).stdout).toContain('0 dead letters moved');
    expect(await remaining()).toBe(5);
  });
});

const commands = { dlq, redrive };

test.each<[keyof typeof commands, string[], string]>([
  ['dlq', ['remove'], 'there is no dlq remove'],
  ['dlq', ['drop', '--json'], '--json is not for dlq drop'],
  ['dlq', ['--yes'], '--yes is for dlq drop'],
  ['dlq', ['--most', '0'], '--most must be a whole number from 1 to 10000, but is 0'],
  ['dlq', ['--older-than', 'yesterday'], '--older-than must be a moment with its zone'],
  ['dlq', ['--context', 'prod'], '--context must be <cluster>=<context>, such as main=prod, but is prod'],
  ['dlq', ['--kind', 'bukket'], 'there is no kind "bukket"'],
  ['redrive', ['--done', 'maybe'], '--done must be skip or include, but is maybe'],
  ['redrive', ['--rate', '0'], '--rate must be a whole number from 1 to 1000, but is 0'],
  ['redrive', ['all'], '"all" is more than it takes'],
])('%s is not called by %j', async (command, args, problem) => {
  const refusal = await commands[command].run(args).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(UsageError);
  expect(String(refusal)).toContain(problem);
});

test.each([
  [['dlq', '--function', 'fly'], 'longshore-test has no queue of a function fly; it has queues of match-transfer'],
  [['dlq', '--stage', 'other'], 'the stack longshore-other cannot be read'],
])('%j fails with one line that says what to do', async (args, problem) => {
  const { LONGSHORE_STAGE: _, ...environment } = aws.environment;
  const stage = args.includes('--stage') ? [] : ['--stage', 'test'];
  const { status, stderr } = await run([...args, ...stage], environment);
  expect([status, stderr.trim().split('\n').length]).toEqual([1, 1]);
  expect(stderr).toContain(problem);
});

test('a cluster that cannot be opened is told of once, and the list is there all the same', async () => {
  const { status, stdout, stderr } = await aws.run(['dlq', '--context', 'main=prod']);
  expect([status, stdout]).toEqual([0, expect.stringContaining('stands  unknown: cluster main was not looked into')]);
  expect(stderr.match(/cluster main is not looked into/g)).toHaveLength(1);
});
