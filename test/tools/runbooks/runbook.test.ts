import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { chaptersOf, missing, stepsOf } from '../../deploy/disasters/case-runbook.ts';

const tests = new URL('../../deploy/disasters/', import.meta.url);
const sources = readdirSync(tests)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => ({ name, text: readFileSync(new URL(name, tests), 'utf8') }));

test('each chapter with steps is rehearsed by a test that the chapter names, and each test has a chapter', () => {
  const rehearsed = sources.map(({ name, text }) => [/new Runbook\('([^']+)'/.exec(text)?.[1], name]);
  const named = chaptersOf()
    .filter(({ anchor }) => anchor !== 'what-you-see-and-what-to-do')
    .map(({ anchor, text }) => [anchor, /test\/deploy\/disasters\/([a-z-]+\.test\.ts)/.exec(text)?.[1]]);
  expect(rehearsed.sort()).toEqual(named.sort());
  expect(rehearsed).toHaveLength(7);
});

test('what is to be typed is understood by a shell', () => {
  for (const { anchor } of chaptersOf()) {
    for (const { commands } of stepsOf(anchor)) {
      const { status, stderr } = spawnSync('/bin/sh', ['-n'], { input: commands, encoding: 'utf8' });
      expect([commands, status, stderr]).toEqual([commands, 0, '']);
    }
  }
});

test('steps are commands with what they print', () => {
  const markdown =
    '# All\n\n## A queue, gone\n\n```sh\nlook\n```\n\n```text\none\n\ntwo\n```\n\n```sh\nmend\n```\n\n## Next\n';
  expect(stepsOf('a-queue-gone', markdown)).toEqual([
    { commands: 'look\n', shown: ['one', 'two'] },
    { commands: 'mend\n', shown: [] },
  ]);
  expect(() => stepsOf('nothing', markdown)).toThrow('docs/recovery.md has no chapter #nothing');
});

test.each([
  ['2 moved in  10 s', '7 moved in 3 s', []],
  ['run 8e359866 of …', 'run 0fa1b2c3 of prod', []],
  ['a … c', 'a b c', []],
  ['a … d', 'a b c', ['a … d']],
  ['c … a', 'a b c', ['c … a']],
  ['moved', 'left', ['moved']],
])('of %j and what is printed, %j, this is missing: %j', (shown, output, expected) => {
  expect(missing([shown], output)).toEqual(expected);
});
