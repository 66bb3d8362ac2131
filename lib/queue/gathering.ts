import type { Clock } from '../runtime/clock.ts';

/** No message waits for longer until a call is full, however long its queue takes to answer. */
const maxMs = 20;

/**
 * The time while a call that is not full is on its way, but no more than half of what the last one took: what comes up
 * meanwhile goes by one call. It costs the messages of a busy queue a part of the time of a call, and those of a quiet one
 * nothing.
 */
export class Gathering {
  private readonly clock: Pick<Clock, 'elapsedMs' | 'pause'>;
  private readonly onEnd: () => void;
  private current: object | undefined;
  private lastTookMs = 0;

  constructor(clock: Pick<Clock, 'elapsedMs' | 'pause'>, onEnd: () => void) {
    this.clock = clock;
    this.onEnd = onEnd;
  }

  get isOn(): boolean {
    return this.current !== undefined;
  }

  /** Answers what is to be called when the call is answered. */
  begin(): () => void {
    const { clock } = this;
    const begunMs = clock.elapsedMs();
    const mine = {};
    const end = () => {
      if (this.current !== mine) return;
      this.current = undefined;
      this.onEnd();
    };
    this.current = mine;
    void clock.pause(Math.min(maxMs, this.lastTookMs / 2)).then(end);
    return () => {
      this.lastTookMs = clock.elapsedMs() - begunMs;
      end();
    };
  }
}
