import { randomUUID } from 'node:crypto';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { expect } from '@jest/globals';
import { resources } from '../../lib/kubernetes/resources.ts';
import { buildMessage } from '../../lib/queue/message.ts';
import { readLogs } from '../../tools/local/function-logs.ts';
import { clusterName } from '../../tools/local/local-stack.ts';
import type { DeployedStack } from '../../tools/local-aws/deploy.ts';
import type { TestStack } from '../support/deployed-stack.ts';
import { until } from '../support/patience.ts';

const functionName = 'match-transfer';

type Sent = Record<string, unknown>;

export function asOfPreviousRelease({ messageversion: _, traceparent: __, ...body }: Sent): Sent {
  return body;
}

export function asOfLaterRelease(body: Sent): Sent {
  return { ...body, messageversion: 2 };
}

/** The messages of a deployment that is not the one of all tests. */
export class Messages {
  private readonly deployed: TestStack;
  private readonly stack: DeployedStack;
  private readonly sqs: SQSClient;

  constructor(deployed: TestStack, stack: DeployedStack, sqs: SQSClient) {
    this.deployed = deployed;
    this.stack = stack;
    this.sqs = sqs;
  }

  /** Sends some about requests that are gone, so that there is nothing to do but to say so; returns their keys. */
  async send(names: string[], as: (body: Sent) => Sent): Promise<string[]> {
    const Entries = names.map((name, index) => {
      const cause = { uid: randomUUID(), resourceVersion: '1', type: 'delete' as const };
      const about = { resource: resources.transferRequest, key: { namespace: 'default', name } };
      const parts = { cluster: clusterName, function: functionName, cause, time: new Date(), ...about };
      const { body, groupId, deduplicationId } = buildMessage(parts);
      const MessageBody = JSON.stringify(as(JSON.parse(body)));
      return { Id: String(index), MessageBody, MessageGroupId: groupId, MessageDeduplicationId: deduplicationId };
    });
    const QueueUrl = this.stack.queues[functionName]?.url;
    const { Failed = [] } = await this.sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    expect(Failed).toEqual([]);
    return names.map((name) => `default/${name}`);
  }

  /** As long as what was cut off needs to come again, and what is retried rests. */
  async untilReconciled(keys: readonly string[]): Promise<void> {
    let missing: string[] = [];
    const areAll = async () => {
      const lines = await readLogs(this.deployed.localAws, [this.stack.functionNames[functionName] ?? '']);
      const done = new Set(lines.flatMap(({ key, message }) => (message === 'reconciled' ? (key ?? []) : [])));
      missing = keys.filter((key) => !done.has(key));
      return missing.length === 0;
    };
    await until('all messages are reconciled', areAll, { pollMs: 500, found: () => missing });
  }

  /** As `longshore redrive` does, by the keys of whoever may send. */
  async moveBack(keys: readonly string[]): Promise<void> {
    const { url: QueueUrl, deadLetterUrl } = this.stack.queues[functionName] ?? {};
    const left = new Set(keys);
    const moveSome = async () => {
      const { Messages: letters = [] } = await this.sqs.send(new ReceiveMessageCommand({ QueueUrl: deadLetterUrl }));
      for (const { Body: MessageBody = '', ReceiptHandle } of letters) {
        const { namespace, name } = JSON.parse(MessageBody) as { namespace: string; name: string };
        const MessageGroupId = `${clusterName}/${namespace}/${name}`;
        await this.sqs.send(
          new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId, MessageDeduplicationId: randomUUID() }),
        );
        await this.sqs.send(new DeleteMessageCommand({ QueueUrl: deadLetterUrl, ReceiptHandle }));
        left.delete(`${namespace}/${name}`);
      }
      return left.size === 0;
    };
    await until('all dead letters are moved back', moveSome, { found: () => [...left] });
  }

  /** Neither in the queue nor among the dead letters. */
  async untilNoneIsLeft(): Promise<void> {
    const { url = '', deadLetterUrl = '' } = this.stack.queues[functionName] ?? {};
    const left = async () => (await this.count(url)) + (await this.count(deadLetterUrl));
    await until('no message is left', async () => (await left()) === 0, { found: left });
  }

  private async count(QueueUrl: string): Promise<number> {
    const counts = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...counts] });
    const { Attributes = {} } = await this.deployed.sqs.send(command);
    return counts.reduce((sum, count) => sum + Number(Attributes[count] ?? 0), 0);
  }
}
