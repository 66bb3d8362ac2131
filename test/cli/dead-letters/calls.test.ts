import { expect, test } from '@jest/globals';
import { dlq } from '../../../cli/dlq.ts';
import { UsageError } from '../../../cli/parse/usage-error.ts';
import { redrive } from '../../../cli/redrive.ts';
import { run as runIn } from './case-aws.ts';
import { withDeadLetters } from './case-dead-letters.ts';

const { started, run } = withDeadLetters();

const commands = { dlq, redrive };

test.each<[keyof typeof commands, string[], string]>([
  ['dlq', ['remove'], 'unknown command dlq remove'],
  ['dlq', ['drop', '--json'], '--json cannot be used with dlq drop'],
  ['dlq', ['--yes'], '--yes can only be used with dlq drop'],
  ['dlq', ['list', '--all'], '--all can only be used with dlq drop'],
  ['dlq', ['drop'], 'say which dead letters to drop: --done, --unprocessable, or --all for every one that matches'],
  ['dlq', ['drop', '--yes', '--name', 'db1'], 'say which dead letters to drop: --done, --unprocessable, or --all'],
  ['dlq', ['drop', '--all', '--done'], 'use --all, or --done and --unprocessable, not both'],
  ['dlq', ['drop', '--hopeless'], '--hopeless has been renamed: use --unprocessable'],
  ['dlq', ['--most=5'], '--most has been renamed: use --limit'],
  ['dlq', ['--limit', '0'], '--limit must be a whole number from 1 to 10000, but is 0'],
  ['dlq', ['--older-than', 'yesterday'], '--older-than must be a time with a time zone'],
  ['dlq', ['--context', 'prod'], '--context must be <cluster>=<context>, such as main=prod, but is prod'],
  ['dlq', ['--kind', 'bukket'], 'unknown kind "bukket"'],
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
  ['redrive', ['all'], 'unexpected argument "all"'],
])('%s is not called by %j', async (command, args, problem) => {
  const refusal = await commands[command].run(args).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(UsageError);
  expect(String(refusal)).toContain(problem);
});

test.each([
  [['dlq', '--function', 'fly'], 'longshore-test has no queue of a function fly; it has queues of match-transfer'],
  [['dlq', '--stage', 'other'], 'the stack longshore-other cannot be read'],
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
