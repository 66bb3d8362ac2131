import { readEnvelope } from '../../queue/envelope.ts';
import { sentAgain } from '../../queue/message.ts';
import type { OutgoingMessage } from '../../queue/message-parts.ts';
import { MalformedMessage } from '../../queue/unusable-message.ts';
import type { Letter } from './letter.ts';

/** All requests for Buckets are in one group of their queue, as a rule of EventBridge knows no more than one. */
const requestFunction = 'request-bucket';
const requestGroup = 'bucket-requests';

/** What is no message of ours, such as an event, stays as it is byte for byte; only its deduplication id is another one. */
export function messageFor(letter: Letter, runId: string): OutgoingMessage {
  const { function: name, body, deduplicationId } = letter;
  const groupId = name === requestFunction ? requestGroup : letter.groupId;
  const again = sentAgain({ function: name, body, groupId, deduplicationId }, runId);
  return name === requestFunction || !isMessage(body) ? { ...again, body } : again;
}

/** One of a later release is one of ours, and says its run like any other. */
function isMessage(body: string): boolean {
  return !(readEnvelope(body).content instanceof MalformedMessage);
}

/** In the order in which they go, those that can go in one call: each of another group of the queue they go to. */
export function callsFor(letters: readonly Letter[]): Letter[][] {
  const isRequest = ({ function: name }: Letter) => name === requestFunction;
  const others = letters.filter((letter) => !isRequest(letter));
  return [...letters.filter(isRequest).map((letter) => [letter]), ...(others.length > 0 ? [others] : [])];
}
