import {
  GetEventSourceMappingCommand,
  InvokeCommand,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand, PurgeQueueCommand } from '@aws-sdk/client-sqs';
import { afterAll, expect, test } from '@jest/globals';
import { isFenced } from '../../lib/capabilities/transfers/by-request/claim-marks.ts';
import type { Claim, TransferRequest } from '../../lib/kubernetes/objects.ts';
import { clusterName } from '../../tools/local/local-stack.ts';
import { ClusterClient, consent, makeTransfer, type Transfer, untilComplete } from '../support/cluster-client.ts';
import { deployedStack, nameOfFunction, queueOf } from '../support/deployed-stack.ts';
import { until } from '../support/patience.ts';
import { longshore } from './case-command.ts';
import { sentSince } from './case-forward-archive.ts';
import { alone, whileNoneRuns } from './case-forward-function.ts';

/** Another file may have the forwarder for some minutes first. */

const deployed = deployedStack();
const client = new ClusterClient(deployed.kubeconfigPath);
const functionName = 'match-transfer';
const { url: QueueUrl } = queueOf(deployed, functionName);

afterAll(() => {
  deployed.sqs.destroy();
  deployed.lambda.destroy();
});

test('what a queue has lost is told again by the command, with nobody who forwards', async () => {
  await alone(deployed, async () => {
    const since = new Date();
    const transfer = await makeTransfer(client);
    await withoutConsumer(async () => {
      await consent(client, transfer);
      await until('messages wait', async () => (await waitingMessages()) > 0);
      await whileNoneRuns(deployed, async () => {
        await deployed.sqs.send(new PurgeQueueCommand({ QueueUrl }));
        await consume(true);
        expect(await hasBegun(transfer)).toBe(false);

        const { status, stdout, stderr } = await longshore(deployed, ['resync', '--cluster', clusterName]);
        expect([status, stderr]).toEqual([0, '']);
        expect(stdout).toMatch(/match-transfer +StorageTransferRequest +\d+ of \d+/);
        await until('the transfer has begun', () => hasBegun(transfer));
        const [, runId = ''] = /by run ([0-9a-f]+)/.exec(stdout) ?? [];
        expect(await namesSentBy(runId, since)).toContain(transfer.request.metadata.name);
      });
    });
    // What is left needs the changes of the cluster, which are forwarded again.
    await untilComplete(client, transfer);
  });
});

test('a dry run names what would be told, and sends nothing', async () => {
  const { namespace = '', name } = (await makeWaiting()).metadata;
  const only = ['--kind', 'streq', '--namespace', namespace];
  const { status, stdout } = await longshore(deployed, ['resync', '--cluster', clusterName, ...only, '--dry-run']);
  expect(status).toBe(0);
  expect(stdout).toContain(`match-transfer  StorageTransferRequest ${namespace}/${name}\n`);
  expect(stdout).toContain('1 messages would be sent');
});

test('the function that is scheduled tells it as well, by its own rights, and keeps what it has sent', async () => {
  const since = new Date();
  const { name } = (await makeWaiting()).metadata;
  const FunctionName = nameOfFunction(deployed, 'resync');
  const Payload = JSON.stringify({ cluster: clusterName, rate: 500 });
  const answer = await deployed.lambda.send(new InvokeCommand({ FunctionName, Payload }));
  const { clusters } = JSON.parse(Buffer.from(answer.Payload ?? []).toString('utf8'));
  expect(clusters).toEqual([expect.objectContaining({ cluster: clusterName, unsent: 0, leftOut: expect.any(Array) })]);
  const [{ runId, sent, unfinished }] = clusters as [{ runId: string; sent: number; unfinished: number }];
  expect([unfinished > 0, sent > 0]).toEqual([true, true]);
  expect(await namesSentBy(runId, since)).toContain(name);
});

test('a cluster that the deployment does not know is refused before anything is sent', async () => {
  const { status, stderr } = await longshore(deployed, ['resync', '--cluster', 'elsewhere']);
  expect([status, stderr]).toEqual([2, expect.stringContaining(`has no cluster "elsewhere"; it has ${clusterName}`)]);
});

/** A request that nobody will ever answer. */
async function makeWaiting(): Promise<TransferRequest> {
  const { request } = await makeTransfer(client);
  await client.create(request);
  return client.until<TransferRequest>(request, ({ status }) => status?.conditions !== undefined);
}

/** What is done first for a transfer: its source is held. */
async function hasBegun({ source }: Transfer): Promise<boolean> {
  return isFenced(await client.get<Claim>(source as Claim));
}

async function waitingMessages(): Promise<number> {
  const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] });
  return Number((await deployed.sqs.send(command)).Attributes?.ApproximateNumberOfMessages);
}

/** Messages stay on their queue meanwhile, as they do when a function is not there. */
async function withoutConsumer(work: () => Promise<void>): Promise<void> {
  await consume(false);
  try {
    await work();
  } finally {
    await consume(true);
  }
}

async function consume(Enabled: boolean): Promise<void> {
  const { lambda } = deployed;
  const FunctionName = nameOfFunction(deployed, functionName);
  const { EventSourceMappings = [] } = await lambda.send(new ListEventSourceMappingsCommand({ FunctionName }));
  for (const { UUID } of EventSourceMappings) {
    await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
    const wanted = Enabled ? 'Enabled' : 'Disabled';
    const stateNow = async () => (await lambda.send(new GetEventSourceMappingCommand({ UUID }))).State;
    await until(`the mapping is ${wanted}`, async () => (await stateNow()) === wanted);
  }
}

async function namesSentBy(runId: string, since: Date): Promise<string[]> {
  const sent = await sentSince(deployed, since);
  const bodies = sent.map(({ body }) => JSON.parse(body) as { name: string; runid?: string });
  return bodies.filter(({ runid }) => runid === runId).map(({ name }) => name);
}
