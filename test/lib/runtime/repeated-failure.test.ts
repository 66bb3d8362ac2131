import { expect, test } from '@jest/globals';
import type { Clock } from '../../../lib/runtime/clock.ts';
import type { Log, LogFields } from '../../../lib/runtime/log.ts';
import { RepeatedFailure } from '../../../lib/runtime/repeated-failure.ts';

function started() {
  let nowMs = 0;
  const lines: { second: number; message: string; fields: LogFields | undefined }[] = [];
  const error = (message: string, fields?: LogFields) => lines.push({ second: nowMs / 1_000, message, fields });
  const failure = new RepeatedFailure({ error } as unknown as Log, { elapsedMs: () => nowMs } as Clock);
  const failFor = (seconds: number, text: string) => {
    for (const endMs = nowMs + seconds * 1_000; nowMs < endMs; nowMs += 1_000) failure.add('away', { error: text });
  };
  return { lines, failure, failFor };
}

test('an outage of an hour is a dozen or so lines, at first more of them, and each tells how many are not there', () => {
  const { lines, failFor } = started();
  failFor(3_600, 'refused');
  expect(lines.map(({ second }) => second).slice(0, 6)).toEqual([0, 10, 30, 70, 150, 310]);
  expect(lines.length).toBeLessThan(18);
  expect(lines.at(-1)?.second).toBeGreaterThan(3_200);
  expect(lines.slice(0, 3).map(({ fields }) => fields)).toEqual([
    { error: 'refused' },
    { error: 'refused', again: 10 },
    { error: 'refused', again: 20 },
  ]);
});

test('another failure is told at once, and so is the same one after a success', () => {
  const { lines, failure, failFor } = started();
  failFor(5, 'refused');
  failFor(5, 'expired');
  failure.over();
  failFor(5, 'expired');
  expect(lines.map(({ second, fields }) => [second, fields?.error])).toEqual([
    [0, 'refused'],
    [5, 'expired'],
    [10, 'expired'],
  ]);
});
