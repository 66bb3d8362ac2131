import { randomUUID } from 'node:crypto';
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { OutgoingMessage } from '../../queue/message-parts.ts';
import type { DeployedQueue } from '../deployment/deployment.ts';
import { type Letter, letterFrom, type Receipt, reasonAttribute } from './letter.ts';

/** What a queue said to a message: the id that it gave to it, or why it does not take it. */
export type Taken = { messageId: string } | { problem: string };

/** The queue of a function and its dead-letter queue, with the few calls that recovery makes. Ten at most at a time. */
export interface LetterQueue {
  readonly function: string;
  /** Hands out letters that nobody else has now, and hides them, with the rest of their groups, for so long. */
  receive(hiddenSeconds: number): Promise<Letter[]>;
  /** Hides letters for so long from now on; 0 shows them at once. Answers those that are not ours to hide any more. */
  hide(letters: readonly Receipt[], seconds: number): Promise<Receipt[]>;
  /** Puts messages onto the function's queue; an answer for each. */
  send(messages: readonly OutgoingMessage[]): Promise<Taken[]>;
  /** Deletes letters; answers those that are still there. */
  remove(letters: readonly Receipt[]): Promise<Receipt[]>;
  /** How many letters there are, as far as SQS knows. */
  counts(): Promise<Counts | undefined>;
}

export interface Counts {
  /** In nobody's hands. */
  waiting: number;
  /** In somebody's hands, which may be ours. */
  hidden: number;
}

export const atOnce = 10;

/** As soon as it waits at all, SQS asks all its servers. */
const defaultWaitSeconds = 1;

export function letterQueue(
  functionName: string,
  { url, deadLetterUrl }: DeployedQueue,
  client: SQSClient,
  { waitSeconds = defaultWaitSeconds }: { waitSeconds?: number } = {},
): LetterQueue {
  return {
    function: functionName,
    receive: async (hiddenSeconds) => {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: deadLetterUrl,
          MaxNumberOfMessages: atOnce,
          WaitTimeSeconds: waitSeconds,
          VisibilityTimeout: hiddenSeconds,
          MessageSystemAttributeNames: ['All'],
          MessageAttributeNames: [reasonAttribute],
          // What an answer that was lost has hidden is had again by the attempt that follows it.
          ReceiveRequestAttemptId: randomUUID(),
        }),
      );
      return Messages.map((message) => letterFrom(functionName, message));
    },
    hide: async (letters, seconds) => {
      const entries = entriesOf(letters).map((entry) => ({ ...entry, VisibilityTimeout: seconds }));
      const command = new ChangeMessageVisibilityBatchCommand({ QueueUrl: deadLetterUrl, Entries: entries });
      // What somebody has deleted meanwhile, or has received since our time was up.
      const { Failed = [] } = await client.send(command);
      return Failed.flatMap(({ Id }) => letters[Number(Id)] ?? []);
    },
    send: async (messages) => sendAll(client, url, messages),
    remove: async (letters) => {
      const command = new DeleteMessageBatchCommand({ QueueUrl: deadLetterUrl, Entries: entriesOf(letters) });
      const { Failed = [] } = await client.send(command);
      return Failed.flatMap(({ Id }) => letters[Number(Id)] ?? []);
    },
    counts: async () => {
      const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
      const command = new GetQueueAttributesCommand({ QueueUrl: deadLetterUrl, AttributeNames: [...names] });
      // It is only told: who may not ask does without.
      const answer = await client.send(command).catch(() => undefined);
      const [waiting, hidden] = names.map((name) => Number(answer?.Attributes?.[name] ?? 0));
      return answer && { waiting: waiting ?? 0, hidden: hidden ?? 0 };
    },
  };
}

function entriesOf(letters: readonly Receipt[]) {
  return letters.map(({ receiptHandle }, index) => ({ Id: String(index), ReceiptHandle: receiptHandle }));
}

async function sendAll(client: SQSClient, url: string, messages: readonly OutgoingMessage[]): Promise<Taken[]> {
  const Entries = messages.map(({ body, groupId, deduplicationId }, index) => ({
    Id: String(index),
    MessageBody: body,
    MessageGroupId: groupId,
    MessageDeduplicationId: deduplicationId,
  }));
  const answer = await client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }));
  return messages.map((_, index) => {
    const isThis = ({ Id }: { Id: string | undefined }) => Id === String(index);
    const taken = answer.Successful?.find(isThis);
    if (taken) return { messageId: taken.MessageId ?? '' };
    const failed = answer.Failed?.find(isThis);
    return { problem: [failed?.Code, failed?.Message].filter(Boolean).join(': ') || 'no response for this message' };
  });
}
