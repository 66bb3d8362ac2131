import { CreateQueueCommand, QueueDeletedRecently, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildApp } from 'fauxqs';
import { queueCountsOf, recreate } from '../../../../lib/recovery/queues/recreate-queue.ts';
import { hurriedClock as clock } from '../../../support/hurried-clock.ts';

/** Against an SQS that runs in this process. */
const server = buildApp({ logger: false });
const queue = { name: 'longshore-x-step.fifo', attributes: { FifoQueue: 'true', VisibilityTimeout: '7' } };
let client: SQSClient;

beforeAll(async () => {
  const endpoint = await server.listen({ port: 0, host: '127.0.0.1' });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  client = new SQSClient({ endpoint, region: 'eu-central-1', credentials });
});
afterAll(async () => {
  client.destroy();
  await server.close();
});

test('a queue that is gone is seen to be, and is there again when it was made', async () => {
  expect(await queueCountsOf(queue, client)).toBeUndefined();
  await recreate(queue, { stage: 'x' }, { client, clock, onWait: () => {} });
  expect(await queueCountsOf(queue, client)).toEqual({ waiting: 0, received: 0 });
});

/** As AWS does for a minute after a queue was deleted. */
function refusing(times: number) {
  let calls = 0;
  const refuse = async (command: unknown) => {
    calls += 1;
    if (calls > times) return {};
    expect(command).toBeInstanceOf(CreateQueueCommand);
    throw new QueueDeletedRecently({ message: 'You must wait 60 seconds', $metadata: {} });
  };
  return { client: { send: refuse } as unknown as SQSClient, calls: () => calls };
}

test('a name that AWS does not give yet is waited for', async () => {
  const { client: refusingClient, calls } = refusing(3);
  let waits = 0;
  const onWait = () => {
    waits += 1;
  };
  await recreate(queue, {}, { client: refusingClient, clock, onWait });
  expect([calls(), waits]).toEqual([4, 3]);
});

test('and not for ever', async () => {
  const { client: refusingClient } = refusing(Number.POSITIVE_INFINITY);
  await expect(recreate(queue, {}, { client: refusingClient, clock, onWait: () => {} })).rejects.toThrow(
    QueueDeletedRecently,
  );
});
