import { expect, test } from '@jest/globals';
import { Forwarder } from '../../lib/forwarder/forwarder.ts';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import type { SendBatch } from '../../lib/queue/lane-sender.ts';
import type { OutgoingMessage } from '../../lib/queue/message-parts.ts';
import { Outbox } from '../../lib/queue/outbox.ts';
import { realClock } from '../../lib/runtime/clock.ts';
import { functionKubeconfig } from '../../tools/control-plane/manifests.ts';
import { freePort } from '../../tools/processes/free-port.ts';
import { makeTransfer } from '../support/cluster-client.ts';
import { until } from '../support/patience.ts';
import { testClient, testKubeconfig } from './administrator.ts';

const client = testClient();

async function forwarderTo(send: SendBatch, connection?: Connection) {
  const access = accessFromKubeconfig(await functionKubeconfig(testKubeconfig(), 'forward'));
  const errors: string[] = [];
  const options = {
    cluster: 'test',
    api: connection ?? new Connection(access),
    outbox: new Outbox({ send, clock: realClock, onFailure: (error) => errors.push(String(error)) }),
    log: { info: () => {}, error: (message: string) => errors.push(message), measure: () => {} },
    clock: realClock,
  };
  return { forwarder: new Forwarder(options), errors, close: () => options.api.close() };
}

test('what a queue refuses is kept and sent when the queue takes it again', async () => {
  const { request } = await makeTransfer(client);
  const taken: OutgoingMessage[] = [];
  let refusals = 0;
  const abort = new AbortController();
  const { forwarder, errors, close } = await forwarderTo(async (_, messages) => {
    refusals += 1;
    if (refusals <= 2) throw new Error('the queue cannot be reached');
    taken.push(...messages);
    if (taken.some(({ body }) => body.includes(request.metadata.namespace ?? ''))) abort.abort();
    return [];
  });
  await client.create(request);
  await forwarder.run(abort.signal);
  close();
  expect(errors.filter((error) => error.includes('cannot be reached'))).toHaveLength(2);
  const [message] = taken.filter(({ body }) => body.includes(request.metadata.namespace ?? ''));
  expect(JSON.parse(message?.body ?? '')).toMatchObject({
    kind: 'StorageTransferRequest',
    name: request.metadata.name,
  });
});

test('a queue that takes nothing until the end is told, not passed over', async () => {
  const { request } = await makeTransfer(client);
  await client.create(request);
  const end = new AbortController();
  const { forwarder, close } = await forwarderTo(async () => {
    end.abort();
    throw new Error('the queue cannot be reached');
  });
  const run = forwarder.run(end.signal);
  await expect(run).rejects.toThrow(/messages about test could not be sent: the queue refuses them/);
  close();
});

test('an API server that cannot be reached at start is named', async () => {
  const server = `https://127.0.0.1:${await freePort()}`;
  const { forwarder, errors, close } = await forwarderTo(async () => [], new Connection({ server }));
  const end = new AbortController();
  const run = forwarder.run(end.signal);
  // It tries again until its end, and only then rejects.
  await until('a failed list', () => errors.length > 0);
  end.abort();
  await expect(run).rejects.toThrow(`the API server at ${server} cannot be reached`);
  close();
});
