import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TransferRequest } from '../../lib/kubernetes/objects.ts';
import type { OutgoingMessage } from '../../lib/queue/message-parts.ts';
import { transferRequest } from '../../tools/local/transfer-objects.ts';
import { type ClusterClient, consent, makeTransfer, type Transfer, untilComplete } from '../support/cluster-client.ts';
import { ownControlPlane } from './case-control-plane.ts';
import { WaitedClock, WithoutForwarder } from './case-resync.ts';

/** Its own control plane: the forwarders of other tests would tell everything before a resync does. */
const controlPlane = ownControlPlane();
/** A transfer waits for the cluster a few times, and each time for somebody who tells of it. */
const maxResyncs = 10;

let client: ClusterClient;
let functions: WithoutForwarder;

beforeAll(async () => {
  client = controlPlane.client();
  functions = new WithoutForwarder(controlPlane.kubeconfig());
  await functions.start();
});
afterAll(() => functions.stop());

async function isComplete({ request }: Transfer): Promise<boolean> {
  return (await client.get<TransferRequest>(request))?.status?.complete === true;
}

test('a transfer whose messages were all lost is completed by resyncs, and is told of no more then', async () => {
  const transfer = await makeTransfer(client);
  await consent(client, transfer);
  const { namespace = '', name } = transfer.request.metadata;
  const subject = `/namespaces/${namespace}/storagetransferrequests/${name}`;
  const first = await functions.resync();
  expect(first.told).toContainEqual(expect.stringContaining(subject));
  for (let count = 1; count < maxResyncs && !(await isComplete(transfer)); count += 1) await functions.resync();
  await untilComplete(client, transfer);
  await client.untilGone(transfer.source);
  // Whatever came last has its own word written on it.
  await functions.resync();
  const { report, told } = await functions.resync();
  expect(told).toEqual([]);
  expect(report).toMatchObject({ unfinished: 0, results: [] });
  expect(report.objects).toBeGreaterThan(2);
});

test('of a thousand unfinished requests no more are told in a second than may be, and a crash loses none', async () => {
  const namespace = 'waiting';
  await client.createNamespace(namespace);
  const requests = Array.from({ length: 1_000 }, (_, index) =>
    transferRequest({
      name: `request-${index}`,
      source: { namespace: 'nowhere', name: 'data' },
      target: { namespace, name: `data-${index}` },
    }),
  );
  for (let start = 0; start < requests.length; start += 50) {
    await Promise.all(requests.slice(start, start + 50).map((request) => client.create(request)));
  }
  const cut = await crashAfter(300);
  const told = await unsettled(requests);
  expect([cut, told.length]).toEqual([300, 700]);

  const clock = new WaitedClock();
  const perSecond = new Map<number, number>();
  const send = async (name: string, messages: OutgoingMessage[]) => {
    const second = Math.floor(clock.elapsedMs() / 1_000);
    perSecond.set(second, (perSecond.get(second) ?? 0) + messages.length);
    return functions.take(name, messages);
  };
  const { report } = await functions.resync({ clock, send, ratePerSecond: 80 });
  expect(report).toMatchObject({ unfinished: 1_000, results: [{ messages: 1_000, sent: 1_000 }] });
  expect([...perSecond.values()]).toEqual([...Array(12).fill(80), 40]);
  expect(functions.givenUp()).toEqual([]);
  expect(await unsettled(requests)).toEqual([]);
});

/** A process that is there no more after so many messages: of what follows nothing is ever heard. */
async function crashAfter(count: number): Promise<number> {
  let sent = 0;
  let crash: (() => void) | undefined;
  const crashed = new Promise<void>((resolve) => {
    crash = resolve;
  });
  const send = async (name: string, messages: OutgoingMessage[]) => {
    if (sent >= count) {
      crash?.();
      return new Promise<number[]>(() => {});
    }
    sent += messages.length;
    return functions.take(name, messages);
  };
  await Promise.race([functions.resync({ send, ratePerSecond: 100 }), crashed]);
  await functions.settled();
  return sent;
}

/** The names of those who have been told nothing. */
async function unsettled(requests: readonly TransferRequest[]): Promise<string[]> {
  const found: (TransferRequest | undefined)[] = [];
  for (let start = 0; start < requests.length; start += 50) {
    const some = requests.slice(start, start + 50).map((request) => client.get<TransferRequest>(request));
    found.push(...(await Promise.all(some)));
  }
  return found.flatMap((each) => (each && !each.status?.observedGeneration ? [each.metadata.name] : []));
}
