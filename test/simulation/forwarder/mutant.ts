import type { ElectedForwarderOptions } from '../../../lib/forwarder/elected-forwarder.ts';
import type { Trouble } from './troubles.ts';
import type { World } from './world.ts';

/** A fault that the simulation must find. */
export interface ForwarderMutant {
  name: string;
  /** Gives a forwarder other surroundings, in which it acts as one would that had the fault in itself. */
  surround?(options: ElectedForwarderOptions, world: World): ElectedForwarderOptions;
  /** Replaces a part of the product. Answers what puts it back. */
  replace?(): () => void;
  /** What must be there for it to show, where it would be rare else. */
  needs?: readonly Trouble[];
}
