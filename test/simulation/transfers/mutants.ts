import { mutantsOfKept } from './mutants-of-kept.ts';
import { mutantsOfOffers } from './mutants-of-offers.ts';
import { mutantsOfRequests } from './mutants-of-requests.ts';
import type { TransferMutant } from './transfer-mutant.ts';

/** Sequences that are wrong on purpose. If the simulation let one pass, its passing the right one would mean nothing. */
export const mutants: TransferMutant[] = [...mutantsOfRequests, ...mutantsOfOffers, ...mutantsOfKept];
