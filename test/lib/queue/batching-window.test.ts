import { expect, test } from '@jest/globals';
import { BatchingWindow } from '../../../lib/queue/batching-window.ts';

/** Time passes when it is told to. */
function stage() {
  let nowMs = 0;
  let ends = 0;
  const pauses: { untilMs: number; end: () => void }[] = [];
  const clock = {
    elapsedMs: () => nowMs,
    pause: (milliseconds: number) =>
      new Promise<void>((resolve) => pauses.push({ untilMs: nowMs + milliseconds, end: resolve })),
  };
  const batchingWindow = new BatchingWindow(clock, () => {
    ends += 1;
  });
  const pass = async (milliseconds: number) => {
    nowMs += milliseconds;
    for (const { untilMs, end } of pauses) if (untilMs <= nowMs) end();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { batchingWindow, pass, ends: () => ends };
}

test('it is over when the call is answered, and that is told once', async () => {
  const { batchingWindow, pass, ends } = stage();
  const slow = batchingWindow.begin();
  await pass(40);
  slow();
  const answered = batchingWindow.begin();
  expect(batchingWindow.isOn).toBe(true);
  const before = ends();
  await pass(1);
  answered();
  await pass(100);
  expect([batchingWindow.isOn, ends()]).toEqual([false, before + 1]);
});

test('it lasts no longer than half of what the last call took, and never longer than 20 ms', async () => {
  const { batchingWindow, pass } = stage();
  const first = batchingWindow.begin();
  await pass(10);
  first();
  batchingWindow.begin();
  await pass(4);
  expect(batchingWindow.isOn).toBe(true);
  await pass(1);
  expect(batchingWindow.isOn).toBe(false);
  const long = batchingWindow.begin();
  await pass(3_000);
  long();
  batchingWindow.begin();
  await pass(19);
  expect(batchingWindow.isOn).toBe(true);
  await pass(1);
  expect(batchingWindow.isOn).toBe(false);
});

test('an answer that comes late ends nothing that has begun since', async () => {
  const { batchingWindow, pass } = stage();
  const early = batchingWindow.begin();
  await pass(10);
  early();
  const late = batchingWindow.begin();
  await pass(5);
  batchingWindow.begin();
  late();
  expect(batchingWindow.isOn).toBe(true);
});
