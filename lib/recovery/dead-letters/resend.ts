import { readEnvelope } from '../../queue/envelope.ts';
import { sentAgain } from '../../queue/message.ts';
import type { OutgoingMessage } from '../../queue/message-parts.ts';
import { MalformedMessage } from '../../queue/unusable-message.ts';
import type { DeadLetter } from './dead-letter.ts';

/** All requests for Buckets share one group of their queue, as an EventBridge rule has only one. */
const requestFunction = 'request-bucket';
const requestGroup = 'bucket-requests';

/** A body that is not our message, such as an event, stays as it is byte for byte; only its deduplication id changes. */
export function messageFor(deadLetter: DeadLetter, runId: string): OutgoingMessage {
  const { function: name, body, deduplicationId } = deadLetter;
  const groupId = name === requestFunction ? requestGroup : deadLetter.groupId;
  const again = sentAgain({ function: name, body, groupId, deduplicationId }, runId);
  return name === requestFunction || !isMessage(body) ? { ...again, body } : again;
}

/** One of a later release is one of ours, and says its run like any other. */
function isMessage(body: string): boolean {
  return !(readEnvelope(body).content instanceof MalformedMessage);
}

/** Batches in the order of sending; all messages of a batch belong to different groups of the target queue. */
export function batchesFor(deadLetters: readonly DeadLetter[]): DeadLetter[][] {
  const isRequest = ({ function: name }: DeadLetter) => name === requestFunction;
  const others = deadLetters.filter((deadLetter) => !isRequest(deadLetter));
  return [...deadLetters.filter(isRequest).map((deadLetter) => [deadLetter]), ...(others.length > 0 ? [others] : [])];
}
