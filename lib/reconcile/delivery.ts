import { UnknownCluster } from '../kubernetes/clusters.ts';
import type { Origin } from '../queue/envelope.ts';
import type { Delivery, Verdict } from '../queue/received-batch.ts';
import { type TimeLimit, within } from '../queue/time-limit.ts';
import { LaterMessage, MalformedMessage } from '../queue/unusable-message.ts';
import type { DeliveryLog } from './delivery-log.ts';

/** Processes a message. It begins nothing more once the signal has aborted. */
export type Work<Content> = (delivery: Delivery<Content>, log: DeliveryLog, working: AbortSignal) => Promise<void>;

/** Does the work of one delivery, and reports the outcome. */
export async function attempt<Content extends { origin: Origin }>(
  delivery: Delivery<Content>,
  { work, isLast }: { work: Work<Content>; isLast: boolean },
  log: DeliveryLog,
  limit: TimeLimit,
): Promise<Verdict> {
  try {
    await within(limit.waiting, work(delivery, log, limit.working));
    log.handled();
    return 'done';
  } catch (error) {
    log.failed(error, isLast);
    return isHopeless(error) ? 'hopeless' : 'retry';
  }
}

/**
 * A message that this release cannot process is no reason to delay its key: a later release that is deployed meanwhile
 * gets a message for the key within a minute.
 */
function isHopeless(error: unknown): boolean {
  return error instanceof MalformedMessage || error instanceof LaterMessage || error instanceof UnknownCluster;
}
