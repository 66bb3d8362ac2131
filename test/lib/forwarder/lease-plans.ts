import fc from 'fast-check';
import { type Fate, maxUnderWayMs } from './lease-network.ts';
import type { Act, Contender, Plan } from './lease-play.ts';

const hourMs = 3_600_000;
const moment = fc.integer({ min: 0, max: 80_000 });
const quick = fc.integer({ min: 1, max: 60 });
const slow = fc.integer({ min: 60, max: maxUnderWayMs });

const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ requestMs: quick, answerMs: quick }) },
  { weight: 2, arbitrary: fc.record({ requestMs: quick, answerMs: fc.constant(undefined) }) },
  { weight: 1, arbitrary: fc.record({ requestMs: fc.constant(undefined), answerMs: quick }) },
  { weight: 2, arbitrary: fc.record({ requestMs: slow, answerMs: fc.oneof(quick, slow) }) },
  { weight: 2, arbitrary: fc.record({ requestMs: quick, answerMs: slow }) },
  {
    weight: 1,
    arbitrary: fc.record({ requestMs: quick, answerMs: quick, refusal: fc.constantFrom<429 | 500>(429, 500) }),
  },
);

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constant('stop' as const), at: moment, forMs: fc.integer({ min: 500, max: 40_000 }) }),
  fc.record({ kind: fc.constantFrom('kill' as const, 'release' as const), at: moment }),
  fc.record({
    kind: fc.constant('jump' as const),
    at: moment,
    byMs: fc.integer({ min: -5 * hourMs, max: 5 * hourMs }),
  }),
);

const contender: fc.Arbitrary<Contender> = fc.record({
  startsAt: fc.integer({ min: 0, max: 30_000 }),
  wallOffsetMs: fc.integer({ min: -5 * hourMs, max: 5 * hourMs }),
  upMs: fc.integer({ min: 0, max: 100 * hourMs }),
  acts: fc.array(act, { maxLength: 4 }),
});

export const plans: fc.Arbitrary<Plan> = fc.record({
  contenders: fc.array(contender, { minLength: 2, maxLength: 3 }),
  fates: fc.array(fate, { minLength: 1, maxLength: 60 }),
});
