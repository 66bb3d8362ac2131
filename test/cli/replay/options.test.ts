import { expect, test } from '@jest/globals';
import { UsageError } from '../../../cli/parse/usage-error.ts';
import { defineReplay } from '../../../cli/replay/define.ts';
import { type Called, calledBy } from '../../../cli/replay/options.ts';
import { parsed } from '../parsed.ts';

const now = new Date('2026-11-19T06:00:00Z');

async function optionsFrom(words: readonly string[]): Promise<Called> {
  const { options } = await parsed(defineReplay, words);
  return calledBy(options, now);
}

test('a command says from when on, and everything else may be left out', async () => {
  expect(await optionsFrom(['--from', '6h', '--stage', 'production'])).toEqual({
    stage: 'production',
    stack: undefined,
    archive: undefined,
    begin: { from: new Date('2026-11-19T00:00:00Z'), to: now, cluster: undefined, filter: {}, oncePerKey: false },
    isDryRun: false,
    ratePerSecond: 100,
    skipDamaged: false,
  });
});

test('a command can say what is meant, and how', async () => {
  const words =
    '--from 2026-11-19T03:00Z --to 1h --cluster main --kind pvc --namespace team --name claim --function match-claim --once-per-key --rate 50 --archive former --dry-run --skip-damaged';
  expect(await optionsFrom(words.split(' '))).toMatchObject({
    begin: {
      from: new Date('2026-11-19T03:00:00Z'),
      to: new Date('2026-11-19T05:00:00Z'),
      cluster: 'main',
      filter: { kind: 'PersistentVolumeClaim', namespace: 'team', name: 'claim', function: 'match-claim' },
      oncePerKey: true,
    },
    archive: 'former',
    isDryRun: true,
    ratePerSecond: 50,
    skipDamaged: true,
  });
});

test.each([
  ['', 'no start given: use --from, such as --from 6h, or --resume'],
  ['--from yesterday', '--from must be a time with a time zone'],
  ['--from 2026-11-19T03:00', '--from must be a time with a time zone'],
  ['--from 1h --to 2h', '--from must be before --to'],
  ['--from 1h --rate 0', '--rate must be a whole number from 1 to 100000, but is 0'],
  ['--from 1h --kind Clam', 'unknown kind "Clam"'],
  ['--from 1h --cluster=', '--cluster must not be empty'],
  ['--resume replay-1 --from 1h', '--from cannot be used with --resume'],
  ['--resume replay-1 --dry-run', '--dry-run cannot be used with --resume'],
])('%j is refused: %s', async (words, problem) => {
  const refusal = await optionsFrom(words.split(' ').filter(Boolean)).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(UsageError);
  expect(String(refusal)).toContain(problem);
});

test.each([
  ['--from 1h --clusters main', "unknown option '--clusters'\n(Did you mean --cluster?)"],
  ['main --from 1h', 'too many arguments'],
])('%j is no call: %s', async (words, problem) => {
  await expect(parsed(defineReplay, words.split(' '))).rejects.toThrow(problem);
});

test('--json is -o json', async () => {
  expect((await parsed(defineReplay, ['--from', '1h', '--json'])).options).toMatchObject({ json: true });
});
