import type { ElectedForwarder } from './elected-forwarder.ts';

/** The state of forwarding for one cluster. */
export interface ForwardingState {
  lead?: ElectedForwarder;
  /** The error that ended the last term, or the last wait for one. */
  failure?: unknown;
}
