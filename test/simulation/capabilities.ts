import { buckets } from './buckets/capability.ts';
import type { Capability, Mutant } from './capability.ts';
import { dataSources } from './data-sources/capability.ts';
import { transfers } from './transfers/capability.ts';

/** Every capability that is simulated, each in runs of its own. */
export const capabilities: readonly Capability[] = [transfers, buckets, dataSources];

export const mutants: readonly Mutant[] = capabilities.flatMap((capability) => capability.mutants);
