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
import { type DeadLetter, deadLetterFrom, type Receipt, reasonAttribute } from './dead-letter.ts';

/** The id that the queue gave to a message, or why it did not accept it. */
export type SendOutcome = { messageId: string } | { problem: string };

/** A function's queue and its dead-letter queue, with the few calls that recovery makes. At most ten messages per call. */
export interface DeadLetterQueue {
  readonly function: string;
  /** Receives dead letters that nobody else holds, and hides them, with the rest of their groups, for this long. */
  receive(hiddenSeconds: number): Promise<DeadLetter[]>;
  /** Hides dead letters for this long from now; 0 makes them visible at once. Returns those that are no longer ours. */
  hide(deadLetters: readonly Receipt[], seconds: number): Promise<Receipt[]>;
  /** Sends messages to the function's queue; one outcome for each. */
  send(messages: readonly OutgoingMessage[]): Promise<SendOutcome[]>;
  /** Deletes dead letters; returns those that are still there. */
  remove(deadLetters: readonly Receipt[]): Promise<Receipt[]>;
  /** Counts the dead letters, as far as SQS knows. */
  counts(): Promise<QueueCounts | undefined>;
}

export interface QueueCounts {
  /** Visible. */
  waiting: number;
  /** Received by a command, perhaps by this one. */
  hidden: number;
}

export const maxBatchSize = 10;

/** Any waiting at all makes SQS query all of its servers. */
const defaultWaitSeconds = 1;

export function deadLetterQueue(
  functionName: string,
  { url, deadLetterUrl }: DeployedQueue,
  client: SQSClient,
  { waitSeconds = defaultWaitSeconds }: { waitSeconds?: number } = {},
): DeadLetterQueue {
  return {
    function: functionName,
    receive: async (hiddenSeconds) => {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: deadLetterUrl,
          MaxNumberOfMessages: maxBatchSize,
          WaitTimeSeconds: waitSeconds,
          VisibilityTimeout: hiddenSeconds,
          MessageSystemAttributeNames: ['All'],
          MessageAttributeNames: [reasonAttribute],
          // A retry receives what a lost response has hidden.
          ReceiveRequestAttemptId: randomUUID(),
        }),
      );
      return Messages.map((message) => deadLetterFrom(functionName, message));
    },
    hide: async (deadLetters, seconds) => {
      const entries = entriesOf(deadLetters).map((entry) => ({ ...entry, VisibilityTimeout: seconds }));
      const command = new ChangeMessageVisibilityBatchCommand({ QueueUrl: deadLetterUrl, Entries: entries });
      // Deleted by someone meanwhile, or received by someone after our timeout.
      const { Failed = [] } = await client.send(command);
      return Failed.flatMap(({ Id }) => deadLetters[Number(Id)] ?? []);
    },
    send: async (messages) => sendAll(client, url, messages),
    remove: async (deadLetters) => {
      const command = new DeleteMessageBatchCommand({ QueueUrl: deadLetterUrl, Entries: entriesOf(deadLetters) });
      const { Failed = [] } = await client.send(command);
      return Failed.flatMap(({ Id }) => deadLetters[Number(Id)] ?? []);
    },
    counts: async () => {
      const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
      const command = new GetQueueAttributesCommand({ QueueUrl: deadLetterUrl, AttributeNames: [...names] });
      // Only for display: without the permission it is left out.
      const answer = await client.send(command).catch(() => undefined);
      const [waiting, hidden] = names.map((name) => Number(answer?.Attributes?.[name] ?? 0));
      return answer && { waiting: waiting ?? 0, hidden: hidden ?? 0 };
    },
  };
}

function entriesOf(deadLetters: readonly Receipt[]) {
  return deadLetters.map(({ receiptHandle }, index) => ({ Id: String(index), ReceiptHandle: receiptHandle }));
}

async function sendAll(client: SQSClient, url: string, messages: readonly OutgoingMessage[]): Promise<SendOutcome[]> {
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
