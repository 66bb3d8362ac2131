import { mutantsOfOffers } from './mutants-of-offers.ts';
import { mutantsOfRequests } from './mutants-of-requests.ts';
import type { Mutant } from './plan.ts';

/** Sequences that are wrong on purpose. If the simulation let one pass, its passing the right one would mean nothing. */
export const mutants: Mutant[] = [...mutantsOfRequests, ...mutantsOfOffers];
