import type { OutgoingMessage } from '../../queue/message-parts.ts';
import type { Filter } from './filter.ts';

/** The highest rate that can be requested, in messages per second; queues accept no more. */
export const maxRate = 100_000;

/** The functions keep up with this rate, and live changes are not delayed for long. */
export const defaultRate = 100;

/** What a run replays. It stays the same for the whole run, however often that is interrupted. */
export interface ReplaySpec {
  /** The start of the time range, inclusive. */
  from: Date;
  /** The end of the time range, exclusive. */
  to: Date;
  /** Replayed in this order. */
  clusters: string[];
  filter: Filter;
  /** Whether only the first of several messages of one key is replayed. */
  oncePerKey: boolean;
}

/** What queues take as ids. Nothing that was ever on one has others; and what waits to be sent must not be full of them. */
const queueableId = /^[\x21-\x7e]{1,128}$/;

/**
 * Why no queue ever takes this, in the words of SQS; undefined where it may. Half a character cannot even be told to a queue:
 * the call fails as a whole, with all that is sent beside it, again and again. Other odd ones it refuses by themselves.
 */
export function refusalOf({ groupId, deduplicationId, body }: OutgoingMessage): string | undefined {
  if (![groupId, deduplicationId].every((id) => queueableId.test(id))) return 'InvalidParameterValue';
  return body.isWellFormed() ? undefined : 'InvalidMessageContents';
}
