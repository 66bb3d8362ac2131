import { setTimeout as pause } from 'node:timers/promises';
import { nowMs } from './clock.ts';

const tickMs = 1;

/** Begins this many pieces of work a second, whether or not the earlier ones are done, and waits for all of them. */
export async function atPace(
  perSecond: number,
  seconds: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  const [started, count] = [nowMs(), Math.round(perSecond * seconds)];
  const begun: Promise<void>[] = [];
  let failure: unknown;
  while (begun.length < count && failure === undefined) {
    const due = Math.min(count, Math.ceil(((nowMs() - started) * perSecond) / 1_000));
    while (begun.length < due) {
      const done = work(begun.length).catch((error) => {
        failure ??= error;
      });
      begun.push(done);
    }
    await pause(tickMs);
  }
  await Promise.all(begun);
  if (failure !== undefined) throw failure;
}
