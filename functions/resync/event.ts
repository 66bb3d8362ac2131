import { fieldsOf } from '../../lib/invocation.ts';
import { mostRate, usualRate } from '../../lib/recovery/resync/resync.ts';

export interface ResyncEvent {
  /** Which of the configured clusters; all of them, where it does not say. */
  cluster: string | undefined;
  ratePerSecond: number;
}

/** The schedule's event says nothing of either. */
export function readEvent(event: unknown): ResyncEvent {
  const { cluster, rate = usualRate } = fieldsOf(event);
  if (cluster !== undefined && typeof cluster !== 'string') throw new Error('cluster must be the name of a cluster');
  const isRate = typeof rate === 'number' && Number.isInteger(rate) && rate >= 1 && rate <= mostRate;
  if (!isRate) throw new Error(`rate must be a whole number of messages a second, from 1 to ${mostRate}`);
  return { cluster, ratePerSecond: rate };
}
