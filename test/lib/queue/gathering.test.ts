import { expect, test } from '@jest/globals';
import { Gathering } from '../../../lib/queue/gathering.ts';

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
  const gathering = new Gathering(clock, () => {
    ends += 1;
  });
  const pass = async (milliseconds: number) => {
    nowMs += milliseconds;
    for (const { untilMs, end } of pauses) if (untilMs <= nowMs) end();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { gathering, pass, ends: () => ends };
}

test('it is over when the call is answered, and that is told once', async () => {
  const { gathering, pass, ends } = stage();
  const slow = gathering.begin();
  await pass(40);
  slow();
  const answered = gathering.begin();
  expect(gathering.isOn).toBe(true);
  const before = ends();
  await pass(1);
  answered();
  await pass(100);
  expect([gathering.isOn, ends()]).toEqual([false, before + 1]);
});

test('it lasts no longer than half of what the last call took, and never longer than 20 ms', async () => {
  const { gathering, pass } = stage();
  const first = gathering.begin();
  await pass(10);
  first();
  gathering.begin();
  await pass(4);
  expect(gathering.isOn).toBe(true);
  await pass(1);
  expect(gathering.isOn).toBe(false);
  const long = gathering.begin();
  await pass(3_000);
  long();
  gathering.begin();
  await pass(19);
  expect(gathering.isOn).toBe(true);
  await pass(1);
  expect(gathering.isOn).toBe(false);
});

test('an answer that comes late ends nothing that has begun since', async () => {
  const { gathering, pass } = stage();
  const early = gathering.begin();
  await pass(10);
  early();
  const late = gathering.begin();
  await pass(5);
  gathering.begin();
  late();
  expect(gathering.isOn).toBe(true);
});
