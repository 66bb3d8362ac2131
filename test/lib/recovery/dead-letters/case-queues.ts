import { CreateQueueCommand, DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { resources } from '../../../../lib/kubernetes/resources.ts';
import { buildMessage } from '../../../../lib/queue/message.ts';
import type { OutgoingMessage } from '../../../../lib/queue/message-parts.ts';
import { type DeadLetterQueue, deadLetterQueue } from '../../../../lib/recovery/dead-letters/dead-letter-queue.ts';

/** What an SQS in this process has of one function: its queue, and that of its dead letters. */
export interface Pair {
  queue: DeadLetterQueue;
  urls: { url: string; deadLetterUrl: string };
  client: SQSClient;
  /** Puts letters where SQS would have moved them. */
  bury(messages: readonly OutgoingMessage[]): Promise<void>;
  /** Takes all that is on the function's queue, in the order of each group. */
  arrived(): Promise<OutgoingMessage[]>;
  /** Takes all that is among the dead letters, and is not in anybody's hands. */
  buried(): Promise<OutgoingMessage[]>;
}

export async function startQueues() {
  const server = buildApp({ logger: false });
  // Its own start-up function would listen on every interface.
  const endpoint = await server.listen({ port: 0, host: '127.0.0.1' });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new SQSClient({ endpoint, region: 'eu-central-1', credentials });
  let count = 0;
  const newPair = async (functionName: string): Promise<Pair> => {
    count += 1;
    const urls = [`${functionName}-${count}`, `${functionName}-${count}-dead-letters`];
    const made = await Promise.all(urls.map((name) => newQueue(client, name)));
    // The names that it gives itself need a resolver that knows them.
    const [url = '', deadLetterUrl = ''] = made.map((each) => new URL(new URL(each).pathname, endpoint).href);
    const back = deadLetterQueue(functionName, { url: deadLetterUrl, deadLetterUrl: url }, client);
    return {
      queue: deadLetterQueue(functionName, { url, deadLetterUrl }, client, { waitSeconds: 0 }),
      urls: { url, deadLetterUrl },
      client,
      bury: async (messages) => {
        for (let start = 0; start < messages.length; start += 10) await back.send(messages.slice(start, start + 10));
      },
      arrived: () => takeAll(client, url, functionName),
      buried: () => takeAll(client, deadLetterUrl, functionName),
    };
  };
  const stop = async () => {
    client.destroy();
    await server.close();
  };
  return { endpoint, newPair, stop };
}

async function newQueue(client: SQSClient, name: string): Promise<string> {
  const Attributes = {
    FifoQueue: 'true',
    DeduplicationScope: 'messageGroup',
    FifoThroughputLimit: 'perMessageGroupId',
  };
  return (await client.send(new CreateQueueCommand({ QueueName: `${name}.fifo`, Attributes }))).QueueUrl ?? '';
}

async function takeAll(client: SQSClient, QueueUrl: string, functionName: string): Promise<OutgoingMessage[]> {
  const taken: OutgoingMessage[] = [];
  for (;;) {
    const command = { QueueUrl, MaxNumberOfMessages: 10, MessageSystemAttributeNames: ['All' as const] };
    const { Messages = [] } = await client.send(new ReceiveMessageCommand(command));
    if (Messages.length === 0) return taken;
    for (const { Body: body = '', Attributes } of Messages) {
      const { MessageGroupId: groupId = '', MessageDeduplicationId: deduplicationId = '' } = Attributes ?? {};
      taken.push({ function: functionName, body, groupId, deduplicationId });
    }
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
}

/** A message about request stage/<name>; each version is another change of it. */
export function messageAbout(name: string, version = 1, cluster = 'main'): OutgoingMessage {
  return buildMessage({
    cluster,
    function: 'match-transfer',
    resource: resources.transferRequest,
    key: { namespace: 'stage', name },
    cause: { uid: `uid-${name}`, resourceVersion: String(version), type: 'update' },
    time: new Date(0),
  });
}

/** Which objects and versions messages are about, by group: `a1` for the first version of stage/a. */
export function namesByGroup(messages: readonly OutgoingMessage[], sent: readonly OutgoingMessage[]): string[][] {
  const byId = new Map(sent.map((message) => [idIn(message.body), message]));
  const groups = Map.groupBy(messages, ({ groupId }) => groupId);
  return [...groups.values()]
    .map((group) => group.map(({ body }) => labelOf(byId.get(idIn(body)), sent)))
    .sort((one, other) => String(one[0]).localeCompare(String(other[0])));
}

function idIn(body: string): string {
  return JSON.parse(body).id;
}

function labelOf(message: OutgoingMessage | undefined, sent: readonly OutgoingMessage[]): string {
  if (!message) return 'unknown';
  const ofGroup = sent.filter(({ groupId }) => groupId === message.groupId);
  return `${JSON.parse(message.body).name}${ofGroup.indexOf(message) + 1}`;
}
