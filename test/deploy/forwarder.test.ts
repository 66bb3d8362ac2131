import {
  GetFunctionConcurrencyCommand,
  InvokeCommand,
  PutFunctionConcurrencyCommand,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { untilLogged } from '../../tools/local/function-logs.ts';
import { ClusterClient, consent, makeTransfer, untilComplete } from '../support/cluster-client.ts';
import { deployedStack, nameOfFunction } from '../support/deployed-stack.ts';

jest.setTimeout(60_000);

const deployed = deployedStack();
const { lambda } = deployed;
const client = new ClusterClient(deployed.kubeconfigPath);
const FunctionName = nameOfFunction(deployed, 'forward');
let atMost = 0;

beforeAll(async () => {
  const answer = await lambda.send(new GetFunctionConcurrencyCommand({ FunctionName }));
  atMost = answer.ReservedConcurrentExecutions ?? 0;
});

afterAll(async () => {
  // Other files of this project need a forwarder, whatever became of this test.
  await startForwarder();
  deployed.sqs.destroy();
  lambda.destroy();
});

test('the last run and the next one may overlap, and no more', () => {
  expect(atMost).toBe(2);
});

test('a forwarder that starts takes up what happened while none ran', async () => {
  await stopForwarder();
  const transfer = await makeTransfer(client);
  await consent(client, transfer);
  expect((await client.get(transfer.request))?.status).toBeUndefined();
  await startForwarder();
  await untilComplete(client, transfer);
});

/** No new run can start then; and to give it memory, even as much as it has, ends the run that is going on. */
async function stopForwarder(): Promise<void> {
  await lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: 0 }));
  await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, MemorySize: 512 }));
  // A run's log is written when the run is over.
  await untilLogged(deployed.localAws, [FunctionName], (lines) => lines.some(({ message }) => message === 'listed'));
}

async function startForwarder(): Promise<void> {
  await lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: atMost }));
  await lambda.send(new InvokeCommand({ FunctionName, InvocationType: 'Event' }));
}
