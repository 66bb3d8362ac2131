import type { Capability, Mutant, Scenario } from './capability.ts';
import type { EngineMutant } from './engine-mutants.ts';
import type { FakeCluster } from './fake-cluster.ts';
import type { ReplayMutant } from './replay/mutants.ts';

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
  /** Whether the messages of the run are kept and replayed, while it goes on and when nothing is left to do. */
  replays?: Replays;
  /** The queue that messages go through: one with the rules of SQS and faults besides, or the one of `longshore run`. */
  engine?: Engine;
  /** Told what there is in the end, where nothing was wrong. */
  onEnd?: (cluster: FakeCluster, scenario: Scenario) => void;
}

export type Engine = 'sqs' | 'embedded' | EngineMutant;

export interface Replays {
  /**
   * Whether queues lose for some time all that is put onto them, and have lost what they had. In the end everything is
   * replayed, and then it must be as if nothing had been lost.
   */
  doQueuesLose: boolean;
  mutant?: ReplayMutant;
}

/** All that can happen to a capability. */
export function everything(capability: Capability): Pick<Plan, 'capability' | 'faults' | 'actions'> {
  return { capability, faults, actions: capability.userActions };
}
