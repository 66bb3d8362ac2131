import type { Lead } from '../lib/forwarder/lead.ts';

/** The state of forwarding for one cluster. */
export interface ForwardingState {
  lead?: Lead;
  /** The error that ended the last term, or the last wait for one. */
  failure?: unknown;
}
