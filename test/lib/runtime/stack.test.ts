import { expect, test } from '@jest/globals';
import { stackOf } from '../../../lib/runtime/stack.ts';

function mistake(): never {
  (undefined as unknown as { length: () => void }).length();
  throw new Error('not come to');
}

function caught(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

test('a stack says what went wrong and in which file, function and line', () => {
  const [first = '', second = ''] = (stackOf(caught(mistake)) ?? '').split('\n');
  expect(first).toMatch(/^TypeError: Cannot read properties of undefined/);
  expect(second).toMatch(/at mistake .*stack\.test\.ts:\d+:\d+/);
});

test('what caused it follows, each with its own stack', () => {
  const error = new Error('it failed', { cause: caught(mistake) });
  const text = stackOf(error) ?? '';
  expect(text.indexOf('Error: it failed')).toBe(0);
  expect(text).toMatch(/\ncaused by TypeError: Cannot read .*\n.*at mistake /);
});

test('of several errors in one each is told, with what caused it', () => {
  const whole = Error.stackTraceLimit;
  Error.stackTraceLimit = 2;
  const one = new Error('the one', { cause: caught(mistake) });
  const text = stackOf(new AggregateError([one, 'no error', new RangeError('the other')], 'two failed')) ?? '';
  Error.stackTraceLimit = whole;
  expect(text.split('\n').filter((line) => !line.startsWith('  '))).toEqual([
    'AggregateError: two failed',
    'one of them: Error: the one',
    expect.stringMatching(/^caused by TypeError: /),
    'one of them: RangeError: the other',
  ]);
});

test('causes that go round end, and so does a stack of any length', () => {
  const error = new Error('x'.repeat(100_000));
  error.cause = error;
  error.stack = `Error: ${error.message}\n${'    at somewhere (file.ts:1:1)\n'.repeat(10_000)}`;
  expect(stackOf(error)?.length).toBe(4_096);
});

test('credentials, and what could not be parsed, are left out', () => {
  const secret = 'wJalrXUtnFEMI-K7MDENG-bPxRfiCYEXAMPLEKEY';
  const told = new Error(`it was sent Authorization: Bearer ${secret}\n    at Bearer ${secret}`);
  const parsed = caught(() => JSON.parse(`${secret} {`));
  for (const error of [told, parsed, new Error('above', { cause: parsed })]) {
    expect(stackOf(error)).toMatch(/\n\s+at .*stack\.test\.ts/);
    expect(stackOf(error)).not.toContain(secret.slice(0, 12));
  }
});

test('what is no error has none, and one whose stack is taken away says what it is', () => {
  expect(stackOf('a text')).toBeUndefined();
  const error = new RangeError('too many');
  Object.defineProperty(error, 'stack', { value: 7 });
  expect(stackOf(error)).toBe('RangeError: too many');
});
