import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mutants, soundVariant } from './lease-mutants.ts';
import { plans } from './lease-plans.ts';
import { LeasePlay, type Variant } from './lease-play.ts';

const holdsFor = (variant?: Variant) => fc.asyncProperty(plans, (plan) => new LeasePlay(plan, variant).run());

test('at no moment two hold the lease, no checkpoint goes back, and somebody has it in the end', async () => {
  await fc.assert(holdsFor(), { numRuns: 300 });
});

test('what is found out in faulty leases is not found in one that holds by its requests and gives away at once', async () => {
  // The same plans as the faulty ones get: it believes an answer that comes just when it is given up, which a lease does not.
  await fc.assert(holdsFor(soundVariant), { numRuns: 300, seed: 1 });
});

test.each(Object.entries(mutants))('a lease that %s is found out', async (_, variant) => {
  // The same plans each time: what has been found out once is found out for ever.
  const { errorInstance } = await fc.check(holdsFor(variant), { numRuns: 3_000, seed: 1, endOnFailure: true });
  expect(String(errorInstance)).toMatch(/have it at|the checkpoint went back/);
});
