import type { OutgoingMessage } from '../../queue/message-parts.ts';
import type { Filter } from './filter.ts';

/** The highest rate that can be requested, in messages per second; queues accept no more. */
export const maxRate = 100_000;

/** The functions keep up with this rate, and live changes are not delayed for long. */
export const defaultRate = 100;

/** The selection of a run. It stays the same for the whole run, however often that is interrupted. */
export interface ReplaySpec {
  /** The start of the time range, inclusive. */
  from: Date;
  /** The end of the time range, exclusive. */
  to: Date;
  /** Replayed in this order. */
  clusters: string[];
  filter: Filter;
  /** True if only the first of several messages of one key is replayed. */
  oncePerKey: boolean;
}

/** The ids that SQS accepts. Every message that was ever on a queue has one; and memory must not fill with others. */
const queueableId = /^[\x21-\x7e]{1,128}$/;

/**
 * The SQS code with which every queue refuses this; undefined if it may be accepted. A lone surrogate cannot even be
 * sent: the call fails as a whole, with all other messages in it, again and again. Other invalid characters are refused
 * individually.
 */
export function refusalOf({ groupId, deduplicationId, body }: OutgoingMessage): string | undefined {
  if (![groupId, deduplicationId].every((id) => queueableId.test(id))) return 'InvalidParameterValue';
  return body.isWellFormed() ? undefined : 'InvalidMessageContents';
}
