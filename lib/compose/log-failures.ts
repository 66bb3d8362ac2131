import type { Log } from '../runtime/log.ts';
import { redactedMessageOf } from '../runtime/redaction.ts';
import { stackOf } from '../runtime/stack.ts';

/** Logs a failure with positions in the sources: Lambda itself logs positions in the bundle, which say little. */
export async function logFailures<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    log.error('run failed', { error: redactedMessageOf(error), stack: stackOf(error) });
    throw error;
  }
}
