import { parentPort, workerData } from 'node:worker_threads';
import { nowMs } from '../clock.ts';
import { type DueTimes, waiting } from './due-times.ts';

/** The thread that signals each due time in turn. */

const { times, added } = workerData as DueTimes;
/** It never changes: waiting for it is sleeping. */
const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

for (let taken = 0; ; taken += 1) {
  while (Atomics.load(added, 0) === taken) Atomics.wait(added, 0, taken);
  const due = times[taken % waiting] ?? 0;
  for (let left = due - nowMs(); left > 0; left = due - nowMs()) Atomics.wait(never, 0, 0, left);
  parentPort?.postMessage(null);
}
