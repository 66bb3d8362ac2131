import type { Random } from '../random.ts';
import type { Trouble } from './troubles.ts';
import type { World } from './world.ts';

/** When what goes wrong does so. */
export class Moments {
  /** From then on nothing goes wrong any more. */
  readonly endMs: number;
  readonly random: Random;
  private readonly world: World;
  private readonly active: ReadonlySet<Trouble>;

  constructor(world: World, active: ReadonlySet<Trouble>, random: Random) {
    this.world = world;
    this.active = active;
    this.random = random;
    this.endMs = random.chance(0.4) ? 3_000 + random.below(9_000) : 12_000 + random.below(35_000);
  }

  has(trouble: Trouble): boolean {
    return this.active.has(trouble);
  }

  /** Up to so many times from now on, as long as anything goes wrong. */
  some(trouble: Trouble, most: number, happen: () => void): void {
    const { time } = this.world;
    if (!this.active.has(trouble)) return;
    for (let count = 1 + this.random.below(most); count > 0; count -= 1) {
      const atMs = time.nowMs + this.random.below(Math.max(1, this.endMs - time.nowMs));
      time.at(atMs, () => {
        if (time.nowMs < this.endMs) happen();
      });
    }
  }
}
