import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TransferRequest } from '../../lib/kubernetes/objects.ts';
import { claim, transferRequest } from '../../tools/local/transfer-objects.ts';
import type { ClusterClient } from '../support/cluster-client.ts';
import { type InProcess, runInProcess } from '../support/in-process.ts';
import { ownControlPlane } from './case-control-plane.ts';
import { untilEvents, untilReason } from './case-waits.ts';

/** Its own control plane: a forwarder of other tests would tell everybody at once. */
const controlPlane = ownControlPlane();
const source = claim({ namespace: 'prod', name: 'data' }, 'made-by-hand');
const maxFanOut = 3;

let client: ClusterClient;
let longshore: InProcess;

beforeAll(async () => {
  client = controlPlane.client();
  longshore = await runInProcess(controlPlane.kubeconfig(), { maxFanOut });
  for (const name of ['prod', 'noisy', 'quiet']) await client.createNamespace(name);
});
afterAll(() => longshore.stop());

/** A request that nobody has approved. */
async function ask(namespace: string, name: string): Promise<TransferRequest> {
  const target = { namespace, name };
  const request = transferRequest({ name, source: { namespace: 'prod', name: 'data' }, target });
  await client.create(request);
  await untilReason(client, request, 'ApprovalMissing');
  return request;
}

async function isCrowded(request: TransferRequest): Promise<boolean> {
  const found = await client.get<TransferRequest>(request);
  expect(found?.status?.conditions?.length).toBeGreaterThan(0);
  return found?.status?.conditions?.some(({ type }) => type === 'Crowded') === true;
}

test('are told in turns, and those that are told later say so until they are not any more', async () => {
  const noisy: TransferRequest[] = [];
  for (let index = 0; index < 6; index += 1) noisy.push(await ask('noisy', `move-${index}`));
  const quiet = await ask('quiet', 'only');
  await client.create(source);
  const [first, second, ...later] = noisy as [TransferRequest, TransferRequest, ...TransferRequest[]];
  for (const request of later) {
    const said = await untilReason(client, request, 'TooManyWait');
    expect(said).toMatchObject({ type: 'Crowded', status: 'True' });
    expect(said.message).toContain('let fewer objects of its namespace wait at a time');
    await untilEvents(client, request, 'TooManyWait');
    // What it waits for is still said, and first.
    await untilReason(client, request, 'ApprovalMissing');
  }
  for (const request of [first, second, quiet]) expect(await isCrowded(request)).toBe(false);

  const [last, ...needless] = later.toReversed() as [TransferRequest, ...TransferRequest[]];
  for (const request of [first, second, ...needless]) await client.delete(request);
  await client.annotate(source, { 'example.com/changed': 'again' });
  const saysNothingOfIt = ({ status }: TransferRequest) => !status?.conditions?.some(({ type }) => type === 'Crowded');
  await client.until<TransferRequest>(last, saysNothingOfIt);
  await untilReason(client, last, 'ApprovalMissing');
});
