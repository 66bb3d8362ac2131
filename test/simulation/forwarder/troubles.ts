import type { Random } from '../random.ts';

/** What can go wrong in a run. Each can be left out, which is how a failure is made smaller. */
export const troubles = [
  'kills',
  'stops',
  'releases',
  'clock jumps',
  'lost calls',
  'slow calls',
  'refused calls',
  'cut watches',
  'garbled lines',
  'silent watches',
  'expired versions',
  'too large versions',
  'restarts',
  'restores',
  'lacking kinds',
  'paged lists',
  'ignored lists',
  'failed sends',
  'lost answers',
  'slow answers',
  'partial refusals',
  'queue away',
  'failed puts',
  'store away',
] as const;
export type Trouble = (typeof troubles)[number];

/** What becomes of one call to the cluster; what has no time is lost. */
export interface CallFate {
  requestMs: number | undefined;
  answerMs: number | undefined;
  refusal?: 429 | 500 | 504;
}

export interface SendFate {
  takenMs: number;
  answerMs: number;
  isTaken: boolean;
  isAnswered: boolean;
  /** How likely each message is to be refused. */
  refusals: number;
}

export interface DeliveryFate {
  lagMs: number;
  end?: 'neat' | 'broken' | 'expired';
  isGarbled?: boolean;
  isSilent?: boolean;
}

const smoothSend: SendFate = { takenMs: 3, answerMs: 0, isTaken: true, isAnswered: true, refusals: 0 };

/** Says what becomes of each thing that is done, until the trouble is over. */
export class Fates {
  areOver = false;
  isQueueAway = false;
  isStoreAway = false;
  private readonly active: ReadonlySet<Trouble>;
  private readonly random: Random;
  /** In some runs what goes wrong does so far more often. */
  private readonly intensity: number;

  constructor(active: ReadonlySet<Trouble>, random: Random) {
    this.active = active;
    this.random = random;
    this.intensity = random.pick([0.5, 1, 3]);
  }

  happens(trouble: Trouble, probability: number): boolean {
    return !this.areOver && this.active.has(trouble) && this.random.chance(probability * this.intensity);
  }

  ofCall(): CallFate {
    const quick = () => 1 + this.random.below(30);
    if (this.happens('lost calls', 0.08)) {
      const isHeard = this.random.chance(0.6);
      return { requestMs: isHeard ? quick() : undefined, answerMs: undefined };
    }
    if (this.happens('slow calls', 0.08)) {
      return {
        requestMs: this.random.below(this.random.chance(0.5) ? 15_000 : 50),
        answerMs: this.random.below(9_000),
      };
    }
    if (this.happens('refused calls', 0.06)) {
      return { requestMs: quick(), answerMs: quick(), refusal: this.random.pick([429, 500]) };
    }
    return { requestMs: this.areOver ? 3 : quick(), answerMs: this.areOver ? 0 : quick() };
  }

  ofSend(): SendFate {
    if (this.areOver) return smoothSend;
    const takenMs = 1 + this.random.below(this.random.chance(0.8) ? 20 : 1_500);
    const isSlow = this.happens('slow answers', 0.5);
    const answerMs = this.random.below(isSlow ? 2_900 - takenMs : this.random.chance(0.8) ? 20 : 1_400);
    const fate = { takenMs, answerMs, isTaken: true, isAnswered: true, refusals: 0 };
    if (this.isQueueAway) return { ...fate, isTaken: false, isAnswered: false, answerMs: this.random.pick([1, 1_400]) };
    if (this.happens('failed sends', 0.2)) return { ...fate, isTaken: false, isAnswered: false };
    if (this.happens('lost answers', 0.25)) return { ...fate, isAnswered: false };
    if (this.happens('partial refusals', 0.3)) return { ...fate, refusals: this.random.pick([0.3, 1]) };
    return fate;
  }

  ofPut(): { takenMs: number; answerMs: number; isTaken: boolean; isAnswered: boolean } {
    const takenMs = 1 + this.random.below(this.areOver || this.random.chance(0.8) ? 40 : 5_000);
    const fate = { takenMs, answerMs: this.random.below(40), isTaken: true, isAnswered: true };
    if (this.isStoreAway && !this.areOver) return { ...fate, isTaken: false, isAnswered: false };
    if (this.happens('failed puts', 0.3)) return { ...fate, isTaken: this.random.chance(0.5), isAnswered: false };
    return fate;
  }

  ofDelivery(): DeliveryFate {
    const lagMs = this.areOver ? 2 : this.random.below(this.random.chance(0.85) ? 30 : 3_000);
    if (this.happens('cut watches', 0.12)) return { lagMs, end: this.random.pick(['neat', 'broken']) };
    if (this.happens('garbled lines', 0.1)) return { lagMs, isGarbled: true };
    if (this.happens('expired versions', 0.12)) return { lagMs, end: 'expired' };
    if (this.happens('silent watches', 0.05)) return { lagMs, isSilent: true };
    return { lagMs };
  }
}
