import { GetFunctionConcurrencyCommand } from '@aws-sdk/client-lambda';
import { afterAll, expect, test } from '@jest/globals';
import type { TransferRequest } from '../../lib/kubernetes/objects.ts';
import { ClusterClient, consent, makeTransfer, untilComplete } from '../support/cluster-client.ts';
import { deployedStack, nameOfFunction } from '../support/deployed-stack.ts';
import { alone, whileNoneRuns } from './case-forward-function.ts';

/** Another file may have the forwarder for some minutes first. */
const deployed = deployedStack();
const { lambda } = deployed;
const client = new ClusterClient(deployed.kubeconfigPath);

afterAll(() => {
  deployed.sqs.destroy();
  lambda.destroy();
});

test('the last run and the next one may overlap, and no more', async () => {
  const FunctionName = nameOfFunction(deployed, 'forward');
  const answer = await lambda.send(new GetFunctionConcurrencyCommand({ FunctionName }));
  expect(answer.ReservedConcurrentExecutions).toBe(2);
});

test('a forwarder that starts takes up what happened while none ran', async () => {
  await alone(deployed, async () => {
    const transfer = await makeTransfer(client);
    await whileNoneRuns(deployed, async () => {
      await consent(client, transfer);
      const seen = await client.get<TransferRequest>(transfer.request);
      expect(seen?.status?.conditions?.map(({ reason }) => reason)).toEqual(['Pending']);
    });
    await untilComplete(client, transfer);
  });
});
