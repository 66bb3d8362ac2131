import { expect, test } from '@jest/globals';
import { textLine } from '../../../cli/run/text-line.ts';

const time = new Date(2026, 10, 20, 9, 5, 3).toISOString();

test('a line says when, what and of what, without what is for machines', () => {
  const fields = {
    time,
    level: 'info',
    message: 'lease taken',
    function: 'run',
    cluster: 'main',
    from: 'a b',
    trace: 'x',
  };
  expect(textLine(JSON.stringify(fields))).toBe('09:05:03 lease taken cluster=main from="a b"');
});

test('an error stands out, and a step is named', () => {
  const fields = { time, level: 'error', message: 'message failed', function: 'match-claim', delivery: 2 };
  expect(textLine(JSON.stringify(fields))).toBe('09:05:03 ERROR message failed function=match-claim delivery=2');
});

test('nothing that others wrote moves the cursor', () => {
  const fields = { time, level: 'info', message: 'write', object: 'a\u001b[2Jb\nc' };
  expect(textLine(JSON.stringify(fields))).toBe('09:05:03 write object="a\\u001b[2Jb\\nc"');
});
