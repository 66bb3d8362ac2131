import { expect, test } from '@jest/globals';
import { Progress } from '../../../cli/terminal/progress.ts';

/** A clock whose pauses are over when a test says so. */
function stoppedClock() {
  const pauses: { milliseconds: number; end: () => void }[] = [];
  const pause = (milliseconds: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      pauses.push({ milliseconds, end: resolve });
      signal?.addEventListener('abort', () => resolve());
    });
  return { clock: { pause }, pauses };
}

const turn = () => new Promise(setImmediate);

test.each([
  [true, 'connecting', 200],
  [false, 'connecting\n', 700],
])('what is being done is said within a second (on a terminal: %p)', async (isTTY, text, afterMs) => {
  const written: string[] = [];
  const { clock, pauses } = stoppedClock();
  const progress = new Progress({ isTTY, write: (more: string) => written.push(more) }, clock);
  const work = Promise.withResolvers<string>();
  const shown = progress.during(() => ({ text: 'connecting' }), work.promise);
  await turn();
  expect([written, pauses.map(({ milliseconds }) => milliseconds)]).toEqual([[], [afterMs]]);
  pauses[0]?.end();
  await turn();
  expect(written).toEqual([text]);
  work.resolve('done');
  expect(await shown).toBe('done');
});

test('what is done at once says nothing, and what fails fails', async () => {
  const written: string[] = [];
  const progress = new Progress({ write: (more: string) => written.push(more) }, stoppedClock().clock);
  expect(await progress.during(() => ({ text: 'x' }), Promise.resolve(1))).toBe(1);
  await expect(progress.during(() => ({ text: 'x' }), Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(written).toEqual([]);
});
