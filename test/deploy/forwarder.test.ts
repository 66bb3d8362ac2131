import {
  GetFunctionConcurrencyCommand,
  PutFunctionConcurrencyCommand,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ClusterClient, consent, makeTransfer, untilComplete } from '../support/cluster-client.ts';
import { deployedStack, nameOfFunction } from '../support/deployed-stack.ts';
import { alone, startRun } from './case-forward-function.ts';

/** Another file may have the forwarder for some minutes first. */
jest.setTimeout(900_000);

const deployed = deployedStack();
const { lambda } = deployed;
const client = new ClusterClient(deployed.kubeconfigPath);
const FunctionName = nameOfFunction(deployed, 'forward');
let atMost = 0;

beforeAll(async () => {
  const answer = await lambda.send(new GetFunctionConcurrencyCommand({ FunctionName }));
  atMost = answer.ReservedConcurrentExecutions ?? 0;
});

afterAll(() => {
  deployed.sqs.destroy();
  lambda.destroy();
});

test('the last run and the next one may overlap, and no more', () => {
  expect(atMost).toBe(2);
});

test('a forwarder that starts takes up what happened while none ran', async () => {
  await alone(deployed, async () => {
    const transfer = await makeTransfer(client);
    await whileNoneRuns(async () => {
      await consent(client, transfer);
      expect((await client.get(transfer.request))?.status).toBeUndefined();
    });
    await untilComplete(client, transfer);
  });
});

/** Other files of this project need a forwarder, whatever becomes of the work. */
async function whileNoneRuns(work: () => Promise<void>): Promise<void> {
  await limitRuns(0);
  try {
    await endRuns();
    await work();
  } finally {
    await limitRuns(atMost);
    await startRun(deployed);
  }
}

/** With none allowed, no new run can start. */
async function limitRuns(ReservedConcurrentExecutions: number): Promise<void> {
  await lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions }));
}

/** To give it memory, even as much as it has, ends the runs that are going on. They leave their lease to its end. */
async function endRuns(): Promise<void> {
  await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, MemorySize: 512 }));
}
