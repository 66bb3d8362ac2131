import type { ElectedForwarder } from '../../../lib/forwarder/elected-forwarder.ts';
import type { Machine } from '../../support/simulated-time.ts';
import type { MachineApi } from './machine-api.ts';

/** One run of a forwarder, as it is judged. */
export interface Term {
  name: string;
  lead: ElectedForwarder;
  machine: Machine;
  api: MachineApi;
  /** It has been told to end. */
  endsSinceMs?: number;
  isOver: boolean;
}
