import type { Clock } from '../../lib/runtime/clock.ts';

interface Happening {
  at: number;
  order: number;
  /** Undefined once it has been called off. */
  happen: (() => void) | undefined;
}

/** Time that passes only when nothing is left to do before the next thing happens. */
export class Time {
  nowMs = 0;
  /** The first of all is at the top, and none is before the one above it (a binary heap). */
  private readonly happenings: Happening[] = [];
  private order = 0;

  /** Answers what calls it off. */
  at(at: number, happen: () => void): () => void {
    this.order += 1;
    const happening: Happening = { at: Math.max(at, this.nowMs), order: this.order, happen };
    this.push(happening);
    return () => {
      happening.happen = undefined;
    };
  }

  after(milliseconds: number, happen: () => void): () => void {
    return this.at(this.nowMs + milliseconds, happen);
  }

  /** What follows from each thing that happens has been done before `check`, and before the next one. */
  async runUntil(endMs: number, check: () => void = () => {}): Promise<void> {
    await quiet();
    for (let next = this.happenings[0]; next && next.at <= endMs; next = this.happenings[0]) {
      this.dropFirst();
      if (!next.happen) continue;
      this.nowMs = next.at;
      next.happen();
      await quiet();
      check();
    }
    this.nowMs = endMs;
  }

  private push(happening: Happening): void {
    const { happenings } = this;
    let place = happenings.push(happening) - 1;
    for (let above = (place - 1) >> 1; place > 0; above = (place - 1) >> 1) {
      const other = happenings[above] as Happening;
      if (isBefore(other, happening)) break;
      happenings[place] = other;
      place = above;
    }
    happenings[place] = happening;
  }

  private dropFirst(): void {
    const { happenings } = this;
    const last = happenings.pop();
    const size = happenings.length;
    if (!last || size === 0) return;
    let place = 0;
    for (let below = 1; below < size; below = 2 * place + 1) {
      const [left, right] = [happenings[below] as Happening, happenings[below + 1]];
      const first = right && isBefore(right, left) ? right : left;
      if (isBefore(last, first)) break;
      happenings[place] = first;
      place = first === left ? below : below + 1;
    }
    happenings[place] = last;
  }
}

/** Promises that wait for nothing but each other are all through when this is. */
function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function isBefore(one: Happening, other: Happening): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

export interface MachineOptions {
  /** By how much its time of day is wrong. */
  wallOffsetMs: number;
  /** What its clock that only goes forward showed at the start: no two machines' show the same. */
  upMs: number;
}

/** A process on a machine of its own, which can be stopped and woken, or killed. */
export class Machine {
  readonly clock: Clock;
  wallOffsetMs: number;
  private readonly time: Time;
  private stoppedUntil = 0;
  private killed = false;

  constructor(time: Time, { wallOffsetMs, upMs }: MachineOptions) {
    this.time = time;
    this.wallOffsetMs = wallOffsetMs;
    this.clock = {
      now: () => new Date(Date.UTC(2026, 10, 19) + time.nowMs + this.wallOffsetMs),
      elapsedMs: () => upMs + time.nowMs,
      pause: (milliseconds, signal) => this.pause(milliseconds, signal),
    };
  }

  get isKilled(): boolean {
    return this.killed;
  }

  kill(): void {
    this.killed = true;
  }

  stopFor(milliseconds: number): void {
    // Never at the same time as anything else, so that what had to wait keeps its order.
    this.stoppedUntil = Math.floor(this.time.nowMs + milliseconds) + 0.5;
  }

  /** Whatever comes from outside, an answer as well as a time that is over, waits while the process is stopped. */
  receive(take: () => void): void {
    if (this.killed) return;
    if (this.time.nowMs < this.stoppedUntil) this.time.at(this.stoppedUntil, () => this.receive(take));
    else take();
  }

  private pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const callOff = this.time.after(milliseconds, () =>
        this.receive(() => {
          signal?.removeEventListener('abort', end);
          resolve();
        }),
      );
      const end = () => {
        callOff();
        resolve();
      };
      signal?.addEventListener('abort', end, { once: true });
    });
  }
}
