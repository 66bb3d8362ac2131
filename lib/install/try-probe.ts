import { type ErrorClass, isClusterError } from '../kubernetes/errors.ts';
import type { Callers, Probe } from './probes.ts';

/** Whether what is probed is in force; or why somebody else refused the probe, which says nothing about it. */
export async function tryProbe(
  probe: Probe,
  callers: Callers,
  refusals: readonly ErrorClass[],
): Promise<boolean | { why: string }> {
  try {
    return await probe.isInForce(callers);
  } catch (error) {
    if (!isClusterError(error, ...refusals)) throw error;
    // What a policy or the webhook would have changed is rejected by a policy of ours as long as it is not.
    return error.message.includes("'longshore-") ? false : { why: error.message };
  }
}
