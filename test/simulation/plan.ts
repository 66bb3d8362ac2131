import type { Capability, Mutant } from './capability.ts';

export const faults = ['crashes', 'lost calls', 'conflicts', 'stale reads', 'duplicates', 'reorders', 'drops'] as const;
export type Fault = (typeof faults)[number];

export interface Plan {
  capability: Capability;
  seed: number;
  faults: readonly Fault[];
  /** What users may do besides what the run is about. */
  actions: readonly string[];
  mutant?: Mutant;
  /** Without it nothing is ever listed again: every wake-up must come from a change. */
  resync?: boolean;
}

/** All that can happen to a capability. */
export function everything(capability: Capability): Pick<Plan, 'capability' | 'faults' | 'actions'> {
  return { capability, faults, actions: capability.userActions };
}
