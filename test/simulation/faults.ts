import type { Manner, PendingCall } from './gate.ts';
import type { Fault, Plan } from './plan.ts';
import type { Random } from './random.ts';

/** What goes wrong by chance, as far as the plan has it. */
export class Faults {
  /** From some time on nothing goes wrong any more. */
  areOver = false;
  private readonly plan: Plan;
  private readonly random: Random;

  constructor(plan: Plan, random: Random) {
    this.plan = plan;
    this.random = random;
  }

  allow(fault: Fault): boolean {
    return !this.areOver && this.plan.faults.includes(fault);
  }

  mannerOf(call: PendingCall): Manner {
    if (this.happens('crashes', 0.04)) return this.random.chance(0.5) ? 'dies before' : 'dies after';
    if (this.happens('lost calls', 0.03)) return this.random.chance(0.5) ? 'lost before' : 'lost after';
    if (call.mayBe.includes('conflict') && this.happens('conflicts', 0.03)) return 'conflict';
    if (call.mayBe.includes('stale') && this.happens('stale reads', 0.05)) return 'stale';
    return 'ok';
  }

  happens(fault: Fault, probability: number): boolean {
    return this.allow(fault) && this.random.chance(probability);
  }
}
