import { expect, test } from '@jest/globals';
import { Stages } from '../../../cli/terminal/stages.ts';

function terminal(columns: number, isTTY = true) {
  const written: string[] = [];
  return { written, stages: new Stages({ isTTY, columns, write: (text: string) => written.push(text) }) };
}

/** What a terminal shows after that: what is erased is gone. */
function shown(written: readonly string[]): string[] {
  return written
    .join('')
    .split('\n')
    .map((line) => line.split('\r\u001b[K').at(-1) ?? '');
}

test('a terminal of 60 columns shows one line that changes, cut to fit, below what stays', () => {
  const { written, stages } = terminal(60);
  stages.now('first');
  stages.now(`waiting: ${'long '.repeat(30)}`);
  stages.say('SourceInUse: a sentence that stays');
  const [said, current = ''] = shown(written);
  expect(said).toBe('SourceInUse: a sentence that stays');
  expect(current.startsWith('waiting: long')).toBe(true);
  expect(current.length).toBe(59);
  stages.end();
  expect(shown(written)).toEqual(['SourceInUse: a sentence that stays', '']);
});

test('a pipe gets whole lines alone', () => {
  const { written, stages } = terminal(60, false);
  stages.now('nothing of this');
  stages.say('a line'.repeat(30));
  stages.now('nor of this');
  stages.end();
  expect(written).toEqual([`${'a line'.repeat(30)}\n`]);
});

test('nobody writes on the terminal by what an object says', () => {
  const { written, stages } = terminal(60);
  stages.say('evil \u001b[2J\nline');
  stages.now('evil \u009b31m');
  for (const control of ['\u001b[2J', '\u009b']) expect(written.join('')).not.toContain(control);
});
