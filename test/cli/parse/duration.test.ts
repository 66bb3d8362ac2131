import { expect, test } from '@jest/globals';
import { duration, seconds } from '../../../cli/parse/duration.ts';
import { UsageError } from '../../../cli/parse/usage-error.ts';

test.each([
  ['30', 30],
  ['30s', 30],
  ['90s', 90],
  ['2m', 120],
  ['1h30m', 5_400],
  ['1d2h3m4s', 93_784],
  ['0m30s', 30],
])('%s is read as %d seconds', (text, expected) => {
  expect(seconds('--timeout')(text)).toBe(expected);
  expect(duration('--timeout')(text)).toBe(expected * 1_000);
});

test.each(['', 'soon', '0', '0s', '-1', '1.5m', '30 s', '30m1h', '5m5m', '1w', '1e3', 'm', '2000d'])(
  '%j is refused with examples',
  (text) => {
    expect(() => seconds('--timeout')(text)).toThrow(UsageError);
    expect(() => seconds('--timeout')(text)).toThrow(
      `--timeout must be a duration, such as 30s, 2m or 1h30m, but is ${text}`,
    );
  },
);

test.each([
  ['5', 5],
  ['10m', 600],
  ['4', undefined],
  ['601s', undefined],
])('a range has both of its ends: %s', (text, expected) => {
  const read = () => seconds('--lease-seconds', { min: 5, max: 600 })(text);
  if (expected !== undefined) expect(read()).toBe(expected);
  else expect(read).toThrow(`--lease-seconds must be a duration from 5 to 600 seconds, such as`);
});
