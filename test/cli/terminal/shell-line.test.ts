import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { shellLine } from '../../../cli/terminal/shell-line.ts';

test.each([
  ['db'],
  ["it's"],
  ['$(touch /tmp/x)'],
  ['`id`'],
  ['a; rm -rf ~'],
  ['a b'],
  [''],
  ['~root'],
  ['=ls'],
  ['*'],
  ['!!'],
  ['a\\'],
  ['"'],
  ['#x'],
  ['&'],
])('a shell takes %j as one word', (word) => {
  const { stdout } = spawnSync('sh', ['-c', `printf '%s|' ${shellLine(['x', word, 'y'])}`], { encoding: 'utf8' });
  expect(stdout).toBe(`x|${word}|y|`);
});

test('what is plain is not quoted, and what would end the line is not shown as it is', () => {
  expect(shellLine(['longshore', 'approve', 'streq/team-b.db', '--for', 'team-a'])).toBe(
    'longshore approve streq/team-b.db --for team-a',
  );
  expect(shellLine(['--context', 'a\nrm x\u001b[2J'])).toBe("--context 'a rm x?[2J'");
});
