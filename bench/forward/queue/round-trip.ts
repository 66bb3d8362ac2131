import { Worker } from 'node:worker_threads';
import { type DueTimes, dueTimes, waiting } from './due-times.ts';

/**
 * Delays responses until the round trip has its configured duration. Node's timers have whole milliseconds; so a
 * separate thread sleeps until the exact time, which costs nothing while it sleeps.
 */
export class RoundTrip {
  private readonly due: DueTimes = dueTimes();
  private readonly held: (() => void)[] = [];
  private delayMs = 0;

  constructor() {
    const sleeper = new Worker(new URL('./sleeper.ts', import.meta.url), { workerData: this.due });
    sleeper.on('message', () => this.held.shift()?.());
    sleeper.on('error', (error) => {
      throw error;
    });
  }

  /** Only while none is held: responses leave in the order in which they arrived. */
  last(delayMs: number): void {
    this.delayMs = delayMs;
  }

  answer(arrivedAt: number, answer: () => void): void {
    if (this.delayMs === 0) {
      answer();
      return;
    }
    if (this.held.length >= waiting) throw new Error(`more than ${waiting} calls at once: make the ring larger`);
    this.held.push(answer);
    const position = Atomics.load(this.due.added, 0);
    this.due.times[position % waiting] = arrivedAt + this.delayMs;
    Atomics.store(this.due.added, 0, position + 1);
    Atomics.notify(this.due.added, 0);
  }
}
