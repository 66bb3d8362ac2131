import { expect, test } from '@jest/globals';
import { defineDlq } from '../../../cli/dlq/define.ts';
import { UsageError } from '../../../cli/parse/usage-error.ts';
import { defineRedrive } from '../../../cli/redrive/define.ts';
import { called, parsed } from '../parsed.ts';
import { run as runIn } from './case-aws.ts';
import { withDeadLetters } from './case-dead-letters.ts';

const { started, run } = withDeadLetters();

const commands = { dlq: defineDlq, redrive: defineRedrive };

test.each<[keyof typeof commands, string[], string]>([
  ['dlq', ['remove'], "unknown command 'dlq remove'"],
  ['dlq', ['dorp'], "unknown command 'dlq dorp' (Did you mean drop?)"],
  ['dlq', ['drop'], 'say which dead letters to drop: --done, --unprocessable, or --all for every one that matches'],
  ['dlq', ['drop', '--yes', '--name', 'db1'], 'say which dead letters to drop: --done, --unprocessable, or --all'],
  ['dlq', ['drop', '--all', '--done'], 'use --all, or --done and --unprocessable, not both'],
  ['dlq', ['drop', '--hopeless'], '--hopeless has been renamed: use --unprocessable'],
  ['dlq', ['--most=5'], '--most has been renamed: use --limit'],
  ['dlq', ['--limit', '0'], '--limit must be a whole number from 1 to 10000, but is 0'],
  ['dlq', ['--older-than', 'yesterday'], '--older-than must be a time with a time zone'],
  ['dlq', ['--context', 'prod'], '--context must be <cluster>=<context>, such as main=prod, but is prod'],
  ['dlq', ['--kind', 'bukket'], 'unknown kind "bukket" (Did you mean Bucket?)'],
  ['redrive', ['--done', 'include'], '--done has been renamed: use --include done'],
  ['redrive', ['--hopeless=include'], '--hopeless has been renamed: use --include unprocessable'],
  [
    'redrive',
    ['--include', 'done,maybe'],
    '--include must be one or more of done, unprocessable, deletions, separated',
  ],
  [
    'redrive',
    ['--include', ''],
    '--include must be one or more of done, unprocessable, deletions, separated by commas',
  ],
  ['redrive', ['--rate', '0'], '--rate must be a whole number from 1 to 1000, but is 0'],
])('%s is not called by %j', async (command, args, problem) => {
  const refusal = await called(commands[command], args).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(UsageError);
  expect(String(refusal)).toContain(problem);
});

test.each<[keyof typeof commands, string[], string]>([
  ['dlq', ['drop', '--json'], "unknown option '--json'"],
  ['dlq', ['--yes'], "unknown option '--yes'"],
  ['dlq', ['list', '--all'], "unknown option '--all'"],
  ['redrive', ['all'], 'too many arguments'],
])('%s has no %j', async (command, args, problem) => {
  await expect(called(commands[command], args)).rejects.toThrow(problem);
});

test('dlq alone is dlq list', async () => {
  const given = ['--limit', '5', '--cluster', 'main'];
  const [alone, list] = [await parsed(defineDlq, given), await parsed(defineDlq, ['list', ...given])];
  expect(alone).toEqual({ command: 'list', args: [], options: { limit: 5, cluster: 'main', logs: true } });
  expect(list).toEqual(alone);
});

test.each([
  [['dlq', '--function', 'fly'], 'longshore-test has no queue of a function fly; it has queues of match-transfer'],
  [
    ['dlq', '--stage', 'other'],
    'there is no stack longshore-other in eu-central-1: the deployments here are longshore-test: use --stack with one of them',
  ],
])('%j fails with one line that says what to do', async (args, problem) => {
  const { LONGSHORE_STAGE: _, ...environment } = started().environment;
  const stage = args.includes('--stage') ? [] : ['--stage', 'test'];
  const { status, stderr } = await runIn([...args, ...stage], environment);
  expect([status, stderr.trim().split('\n').length]).toEqual([1, 1]);
  expect(stderr).toContain(problem);
});

test('a cluster that cannot be opened is told of once, and the list is there all the same', async () => {
  const { status, stdout, stderr } = await run(['dlq', '--context', 'main=prod']);
  expect([status, stdout]).toEqual([0, expect.stringContaining('state   unknown: cluster main was not read')]);
  expect(stderr.match(/cluster main is not read/g)).toHaveLength(1);
});
