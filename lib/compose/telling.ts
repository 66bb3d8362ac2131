import type { Log } from '../runtime/log.ts';
import { messageOf } from '../runtime/redaction.ts';
import { stackOf } from '../runtime/stack.ts';

/** What a function throws, Lambda logs with positions in its bundle, which say little: so it is told here before. */
export async function telling<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    log.error('run failed', { error: messageOf(error), stack: stackOf(error) });
    throw error;
  }
}
