import { fieldsOf } from '../../runtime/invocation.ts';
import { defaultRate, maxRate } from './resync.ts';

export interface ResyncEvent {
  /** The requested cluster; all configured ones, if undefined. */
  cluster: string | undefined;
  ratePerSecond: number;
}

/** The schedule's event contains neither field. */
export function readEvent(event: unknown): ResyncEvent {
  const { cluster, rate = defaultRate } = fieldsOf(event);
  if (cluster !== undefined && typeof cluster !== 'string') throw new Error('cluster must be the name of a cluster');
  const isRate = typeof rate === 'number' && Number.isInteger(rate) && rate >= 1 && rate <= maxRate;
  if (!isRate) throw new Error(`rate must be a whole number of messages per second, from 1 to ${maxRate}`);
  return { cluster, ratePerSecond: rate };
}
