import { type ElectedForwarder, pauseBetweenTermsMs } from '../forwarder/elected-forwarder.ts';
import type { ForwardingState } from '../forwarder/forwarding-state.ts';
import { realClock } from '../runtime/clock.ts';
import { stackFor } from '../runtime/failure-fields.ts';
import type { Log } from '../runtime/log.ts';
import { RepeatedFailure } from '../runtime/repeated-failure.ts';

export interface Terms {
  cluster: string;
  /** Called for each term, and for each wait for one. */
  begin: () => Promise<{ lead: ElectedForwarder; end: () => void }>;
  log: Log;
  signal: AbortSignal;
}

/** One term after the other. A cause that ends a term, such as a lost lease or changed credentials, may not end the next. */
export async function forwardUntilStopped(
  state: ForwardingState,
  { cluster, begin, log, signal }: Terms,
): Promise<void> {
  const repeated = new RepeatedFailure(log, realClock);
  while (!signal.aborted) {
    try {
      const { lead, end } = await begin();
      state.lead = lead;
      state.failure = undefined;
      await lead.run({ signal }).finally(end);
      repeated.over();
    } catch (error) {
      if (signal.aborted) throw error;
      state.failure = error;
      repeated.add('forwarding failed; starting again', { cluster, error: String(error), stack: stackFor(error, log) });
      await realClock.pause(pauseBetweenTermsMs, signal);
    }
  }
}
