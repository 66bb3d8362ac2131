import { afterAll, expect, test } from '@jest/globals';
import { type LogLine, untilLogged } from '../../tools/local/function-logs.ts';
import { clusterName } from '../../tools/local/local-stack.ts';
import { ClusterClient, consent, makeTransfer, untilComplete } from '../support/cluster-client.ts';
import { deployedStack, nameOfFunction } from '../support/deployed-stack.ts';

const deployed = deployedStack();
const client = new ClusterClient(deployed.kubeconfigPath);
const functionName = 'match-transfer';

afterAll(() => {
  deployed.sqs.destroy();
  deployed.lambda.destroy();
});

test('each line of a deployed function says which invocation, message and change it belongs to', async () => {
  const transfer = await makeTransfer(client);
  await consent(client, transfer);
  await untilComplete(client, transfer);
  const { namespace, name } = transfer.request.metadata;
  const key = `${namespace}/${name}`;
  const isWrite = (line: LogLine) => line.key === key && line.message === 'write';
  const logs = [nameOfFunction(deployed, functionName)];
  const lines = await untilLogged(deployed.localAws, logs, (found) => found.filter(isWrite).length > 2);
  const ofRequest = lines.filter((line) => line.key === key);
  expect(ofRequest.map(({ message }) => message)).toContain('reconciled');
  for (const line of ofRequest) {
    expect(line).toMatchObject({
      level: 'info',
      function: functionName,
      cluster: clusterName,
      kind: 'StorageTransferRequest',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      delivery: expect.any(Number),
      trace: expect.stringMatching(/^[0-9a-f]{32}$/),
      correlation: expect.any(String),
      object: expect.stringMatching(/^[A-Z]\w+ \S+$/),
    });
  }
});

test('what is counted of the messages is a line from which CloudWatch can make metrics', async () => {
  // Other tests send messages of unknown clusters to the same function.
  const isCounted = (line: object) => 'MessagesHandled' in line && 'Cluster' in line && line.Cluster === clusterName;
  const logs = [nameOfFunction(deployed, functionName)];
  const lines = await untilLogged(deployed.localAws, logs, (found) => found.some(isCounted));
  const counted = lines.find(isCounted);
  expect(counted).toMatchObject({ Cluster: clusterName, Function: functionName, MessagesGivenUp: expect.any(Number) });
  const { _aws } = counted as unknown as { _aws: { CloudWatchMetrics: { Metrics: { Name: string }[] }[] } };
  for (const { Name } of _aws.CloudWatchMetrics.flatMap(({ Metrics }) => Metrics))
    expect(counted).toHaveProperty([Name]);
});
