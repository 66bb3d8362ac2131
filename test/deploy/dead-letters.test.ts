import { randomUUID } from 'node:crypto';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import { ReceiveMessageCommand, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { afterAll, expect, test } from '@jest/globals';
import { resources } from '../../lib/kubernetes/resources.ts';
import { buildMessage } from '../../lib/queue/message.ts';
import type { MessageParts } from '../../lib/queue/message-parts.ts';
import { clusterName } from '../../tools/local/local-stack.ts';
import { ClusterClient, consent, makeTransfer, untilComplete } from '../support/cluster-client.ts';
import { deployedStack, nameOfFunction, queueOf } from '../support/deployed-stack.ts';
import { until } from '../support/patience.ts';

const deployed = deployedStack();
const client = new ClusterClient(deployed.kubeconfigPath);
const functionName = 'match-transfer';
const queue = queueOf(deployed, functionName);

afterAll(() => {
  deployed.sqs.destroy();
  deployed.lambda.destroy();
});

test('what can never be handled becomes a dead letter, and harms nothing that is queued beside it', async () => {
  const transfer = await makeTransfer(client);
  const bodies = [
    `no JSON ${randomUUID()}`,
    message({ cluster: `unknown-${randomUUID()}` }),
    message({ resource: resources.volume, key: { name: `volume-${randomUUID()}` } }),
  ];
  await send(bodies);
  await consent(client, transfer);
  await untilComplete(client, transfer);
  await untilDeadLetters(bodies);
});

test('what is put into the group of a key, and is not about it or of a later version, holds up nothing of that key', async () => {
  const transfer = await makeTransfer(client);
  const { namespace = '', name } = transfer.request.metadata;
  const later = JSON.stringify({ ...JSON.parse(message({ key: { namespace, name } })), messageversion: 99 });
  const foreign = message({ key: { namespace, name: `another-${randomUUID()}` } });
  await send([later, foreign], () => `${clusterName}/${namespace}/${name}`);
  await consent(client, transfer);
  await untilComplete(client, transfer);
  await untilDeadLetters([later, foreign]);
});

test('in one batch, only the message that cannot be handled is reported as failed', async () => {
  const transfer = await makeTransfer(client);
  await client.create(transfer.request);
  const { namespace = '', name } = transfer.request.metadata;
  const Records = ['no JSON', message({ key: { namespace, name } }), '{}'].map((body, index) => ({
    messageId: `message-${index}`,
    receiptHandle: `not-received-${index}`,
    body,
    attributes: { MessageGroupId: `group-${index}`, ApproximateReceiveCount: '1' },
  }));
  const command = new InvokeCommand({
    FunctionName: nameOfFunction(deployed, functionName),
    Payload: JSON.stringify({ Records }),
  });
  const { Payload } = await deployed.lambda.send(command);
  expect(JSON.parse(Buffer.from(Payload ?? []).toString('utf8'))).toEqual({
    batchItemFailures: [{ itemIdentifier: 'message-0' }, { itemIdentifier: 'message-2' }],
  });
  await client.until(transfer.request, ({ status }) => status?.conditions?.[0]?.reason === 'ApprovalMissing');
});

function message(parts: Partial<MessageParts>): string {
  const cause = { uid: randomUUID(), resourceVersion: '1', type: 'add' as const };
  const key = { namespace: 'default', name: 'nothing' };
  const time = new Date();
  const resource = resources.transferRequest;
  return buildMessage({ cluster: clusterName, function: functionName, resource, key, cause, time, ...parts }).body;
}

/** All in one batch, each in a group of its own unless it is said in which. */
async function send(bodies: readonly string[], groupOf: () => string = randomUUID): Promise<void> {
  const Entries = bodies.map((MessageBody, index) => {
    const entry = { Id: String(index), MessageBody, MessageGroupId: groupOf() };
    return { ...entry, MessageDeduplicationId: randomUUID() };
  });
  await deployed.sqs.send(new SendMessageBatchCommand({ QueueUrl: queue.url, Entries }));
}

async function untilDeadLetters(bodies: readonly string[]): Promise<void> {
  const missing = new Set(bodies);
  const takeSome = async () => {
    const command = new ReceiveMessageCommand({ QueueUrl: queue.deadLetterUrl, MaxNumberOfMessages: 10 });
    const { Messages = [] } = await deployed.sqs.send(command);
    for (const { Body = '' } of Messages) missing.delete(Body);
    return missing.size === 0;
  };
  await until('all are dead letters', takeSome, { found: () => [...missing] });
}
