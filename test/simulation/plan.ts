import type { Cluster } from '../../lib/cluster/cluster.ts';
import type { Step } from '../../lib/reconcile/step.ts';
import type { TransferWorld } from '../../lib/transfers/world.ts';
import { type UserAction, userActions } from './scenario.ts';

export const faults = ['crashes', 'lost calls', 'conflicts', 'stale reads', 'duplicates', 'reorders', 'drops'] as const;
export type Fault = (typeof faults)[number];

/** A change to the product that makes it wrong: the simulation must notice. */
export interface Mutant {
  name: string;
  step?: (step: Step<TransferWorld>) => Step<TransferWorld>;
  cluster?: (cluster: Cluster) => Cluster;
  /** What must happen for it to show, where everything at once would make it rare. */
  actions?: readonly UserAction[];
}

export interface Plan {
  seed: number;
  faults: readonly Fault[];
  actions: readonly UserAction[];
  mutant?: Mutant;
  /** Without it nothing is ever listed again: every wake-up must come from a change. */
  resync?: boolean;
}

export const everything = { faults, actions: userActions };
