import { expect, test } from '@jest/globals';
import { ProgressSaver } from '../../../../lib/recovery/replay/progress-saver.ts';
import { until } from '../../archive/fake-segments.ts';
import { PausedClock } from './case-replay.ts';

test('how far something has come is kept every five seconds while it goes on, and when it ends; failures stop nothing', async () => {
  const clock = new PausedClock();
  const written: string[] = [];
  const failures = [new Error('one'), new Error('two')];
  let state = 'begun';
  const write = async (text: string) => {
    const failure = failures.pop();
    if (failure) throw failure;
    written.push(text);
  };
  const saver = new ProgressSaver(clock, write, () => state);
  const work = async () => {
    await until('it was kept', () => written.length === 1);
    state = 'later';
    await until('it was kept again', () => written.length === 2);
    state = 'over';
    return 'result';
  };
  expect(await saver.during(work())).toBe('result');
  expect(written).toEqual(['begun', 'later', 'over']);
  expect([new Set(clock.pauses), saver.problem]).toEqual([new Set([5_000]), undefined]);
  await expect(saver.during(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

test('what could not be kept is known, until it is', async () => {
  const failures = ['AccessDenied'];
  const write = async () => {
    const failure = failures.pop();
    if (failure) throw new Error(failure);
  };
  const saver = new ProgressSaver(new PausedClock(), write, () => 'state');
  await saver.keep();
  expect(saver.problem).toBe('AccessDenied');
  await saver.keep();
  expect(saver.problem).toBeUndefined();
});
