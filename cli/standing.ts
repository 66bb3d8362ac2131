import type { Lead } from '../lib/forwarder/lead.ts';

/** How the forwarding of one cluster stands. */
export interface Standing {
  lead?: Lead;
  /** What the last term, or the last wait for one, ended with. */
  failure?: unknown;
}
