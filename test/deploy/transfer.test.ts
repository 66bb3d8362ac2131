import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { afterAll, expect, test } from '@jest/globals';
import type { Claim, ClusterObject, Volume } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { buildMessage } from '../../lib/queue/message.ts';
import { readLogs, untilLogged } from '../../tools/local/function-logs.ts';
import { clusterName } from '../../tools/local/local-stack.ts';
import { ClusterClient, consent, makeTransfer, untilComplete } from '../support/cluster-client.ts';
import { deployedStack, nameOfFunction, queueOf } from '../support/deployed-stack.ts';

const deployed = deployedStack();
const client = new ClusterClient(deployed.kubeconfigPath);

afterAll(() => {
  deployed.sqs.destroy();
  deployed.lambda.destroy();
});

test('a claim that both sides agree on moves, and its volume is as it was', async () => {
  const transfer = await makeTransfer(client);
  await consent(client, transfer);
  await untilComplete(client, transfer);
  const volume = await client.get(transfer.volume);
  const target = await client.get(transfer.target);
  expect(volume?.spec.persistentVolumeReclaimPolicy).toBe('Delete');
  expect(volume?.spec.claimRef?.uid).toBe(target?.metadata.uid);
  expect(target?.status?.phase).toBe('Bound');
  await client.untilGone(transfer.source);
});

test('a claim that is offered and accepted by annotation moves, and what happened is counted', async () => {
  const { source, target, volume } = await makeTransfer(client);
  const annotations = { transferAccept: `${source.metadata.namespace}/data` };
  await client.annotate(source, { transferRequest: `${target.metadata.namespace}/data` });
  const isPending = ({ metadata }: Claim) => metadata.annotations?.['pvc.kubernetes.io/transfer-status'] === 'pending';
  await client.until<Claim>(source, isPending);
  await client.create({ ...target, metadata: { ...target.metadata, annotations } });
  await client.until<Claim>(target, isPending);
  await client.delete(source);
  const isComplete = ({ metadata }: Volume) =>
    metadata.annotations?.['pv.kubernetes.io/transfer-status'] === 'complete';
  const moved = await client.until<Volume>(volume, isComplete);
  expect(moved.spec.claimRef?.namespace).toBe(target.metadata.namespace);
  const logs = ['match-claim', 'rebind-volume'].map((name) => nameOfFunction(deployed, name));
  const lines = await untilLogged(deployed.localAws, logs, (found) => found.some(isCount('TransfersCompleted')));
  expect(lines.find(isCount('TransfersStarted'))).toMatchObject({ Cluster: clusterName, Transfer: 'ByAnnotation' });
});

function isCount(name: string) {
  return (line: object): boolean =>
    'message' in line &&
    line.message === 'measured' &&
    name in line &&
    'Transfer' in line &&
    line.Transfer === 'ByAnnotation';
}

test('messages that come again after the end change nothing', async () => {
  const transfer = await makeTransfer(client);
  await consent(client, transfer);
  await untilComplete(client, transfer);
  await client.untilGone(transfer.source);
  const objects = [transfer.volume, transfer.target, transfer.request, transfer.approval];
  const versions = async () =>
    Promise.all(objects.map(async (object) => (await client.get<ClusterObject>(object))?.metadata.resourceVersion));
  const before = await versions();

  await sendAgain('match-transfer', resources.transferRequest, await client.until(transfer.request));
  await sendAgain('rebind-volume', resources.volume, await client.until(transfer.volume));

  expect(await versions()).toEqual(before);
});

/** Sends the same message in two later runs, and waits until both have been worked on. */
async function sendAgain(functionName: string, resource: Resource, { metadata }: ClusterObject): Promise<void> {
  const { name, namespace, uid = '', resourceVersion = '' } = metadata;
  const key = namespace === undefined ? { name } : { namespace, name };
  const cause = { uid, resourceVersion, type: 'update' as const };
  const entries = ['first', 'second'].map((run) => {
    const runId = `${run}-of-${uid}`;
    const time = new Date();
    const parts = { cluster: clusterName, function: functionName, resource, key, cause, time, runId };
    const { body, groupId, deduplicationId } = buildMessage(parts);
    return { Id: run, MessageBody: body, MessageGroupId: groupId, MessageDeduplicationId: deduplicationId };
  });
  const logs = [nameOfFunction(deployed, functionName)];
  const displayedKey = namespace === undefined ? name : `${namespace}/${name}`;
  const runs = (lines: { key?: string; message: string }[]) =>
    lines.filter((line) => line.key === displayedKey && line.message === 'reconciled').length;
  const earlier = runs(await readLogs(deployed.localAws, logs));
  await deployed.sqs.send(
    new SendMessageBatchCommand({ QueueUrl: queueOf(deployed, functionName).url, Entries: entries }),
  );
  await untilLogged(deployed.localAws, logs, (lines) => runs(lines) >= earlier + entries.length);
}
