import { randomUUID } from 'node:crypto';
import { GetQueueAttributesCommand, SendMessageCommand, SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TransferApproval } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { buildMessage } from '../../lib/queue/message.ts';
import type { MessageParts } from '../../lib/queue/message-parts.ts';
import { untilLogged } from '../../tools/local/function-logs.ts';
import { clusterName } from '../../tools/local/local-stack.ts';
import { ClusterClient, makeTransfer } from '../support/cluster-client.ts';
import { deployedStack, nameOfFunction, queueOf } from '../support/deployed-stack.ts';
import { until } from '../support/patience.ts';
import { longshore } from './case-command.ts';
import { alone, whileNoneRuns } from './case-forward-function.ts';
import { allowed, withoutRights } from './case-rights.ts';

const deployed = deployedStack();
const client = new ClusterClient(deployed.kubeconfigPath);
const functionName = 'match-approval';
const queue = queueOf(deployed, functionName);
let approval: TransferApproval;
let only: string[];

beforeAll(async () => {
  const transfer = await makeTransfer(client);
  approval = transfer.approval;
  only = ['--function', functionName, '--namespace', approval.metadata.namespace ?? '', '--cluster', clusterName];
});
afterAll(() => {
  deployed.sqs.destroy();
  deployed.lambda.destroy();
});

function messageAbout({ metadata }: TransferApproval, different: Partial<MessageParts> = {}) {
  const cause = { uid: randomUUID(), resourceVersion: '1', type: 'add' as const };
  const { namespace = '', name } = metadata;
  const resource = resources.transferApproval;
  const about = { cluster: clusterName, function: functionName, resource, key: { namespace, name }, cause };
  return buildMessage({ ...about, time: new Date(), ...different });
}

async function send(QueueUrl: string, { body, groupId, deduplicationId }: ReturnType<typeof messageAbout>) {
  const message = { MessageBody: body, MessageGroupId: groupId, MessageDeduplicationId: deduplicationId };
  await deployed.sqs.send(new SendMessageCommand({ QueueUrl, ...message }));
}

/** What the list says of each letter that is meant. */
async function listed(selection: string[]): Promise<Record<string, unknown>[]> {
  const { status, stdout, stderr } = await longshore(deployed, ['dlq', '--json', ...selection]);
  // With 3 something is open.
  if (status !== 0 && status !== 3) throw new Error(stderr);
  return JSON.parse(stdout);
}

async function untilListed(
  selection: string[],
  isMeant: (deadLetter: Record<string, unknown>) => boolean = () => true,
) {
  let deadLetter: Record<string, unknown> | undefined;
  await until(`a dead letter is listed by ${selection.join(' ')}`, async () => {
    [deadLetter] = (await listed(selection)).filter(isMeant);
    return deadLetter !== undefined;
  });
  return deadLetter ?? {};
}

/** What fails is a dead letter at once, and not after its eighth delivery, which takes half an hour. */
async function withOneDelivery<T>(work: () => Promise<T>): Promise<T> {
  const { sqs } = deployed;
  const question = { QueueUrl: queue.url, AttributeNames: ['RedrivePolicy' as const] };
  const { RedrivePolicy = '{}' } = (await sqs.send(new GetQueueAttributesCommand(question))).Attributes ?? {};
  const set = (policy: string) =>
    sqs.send(new SetQueueAttributesCommand({ QueueUrl: queue.url, Attributes: { RedrivePolicy: policy } }));
  await set(JSON.stringify({ ...JSON.parse(RedrivePolicy), maxReceiveCount: 1 }));
  return work().finally(() => set(RedrivePolicy));
}

test('a message of an unknown cluster is listed with its error, left by a redrive, and dropped when that is confirmed', async () => {
  const cluster = `unknown-${randomUUID()}`;
  const selection = ['--function', functionName, '--cluster', cluster];
  await send(queue.url, messageAbout(approval, { cluster }));
  const deadLetter = await untilListed(selection, ({ error }) => error !== null);
  expect(deadLetter).toMatchObject({
    kind: 'StorageTransferApproval',
    state: 'unknown-cluster',
    errorFrom: 'log',
    error: expect.stringContaining(`cluster "${cluster}" is not configured`),
    firstFailure: expect.stringMatching(/Z$/),
    lastFailure: expect.stringMatching(/Z$/),
  });
  expect((await longshore(deployed, ['redrive', ...selection])).stdout).toContain('1 left as unprocessable');
  expect((await longshore(deployed, ['dlq', 'drop', '--all', ...selection])).status).toBe(1);
  const dropped = await longshore(deployed, ['dlq', 'drop', '--all', ...selection], 'drop 1\n');
  expect([dropped.status, dropped.stdout]).toEqual([0, `1 dead letter dropped from ${deployed.stack.stackName}\n`]);
  expect(await listed(selection)).toEqual([]);
});

test('what failed for want of a right is listed, goes back when the right is there again, and is done', async () => {
  // A forwarder that begins a new run meanwhile would tell of the approval again, and leave nothing to be done.
  await alone(deployed, () => whileNoneRuns(deployed, failAndRedrive));
});

async function failAndRedrive(): Promise<void> {
  const deadLetter = await withOneDelivery(() =>
    withoutRights(client, functionName, async () => {
      await send(queue.url, messageAbout(await client.create(approval)));
      return untilListed(only, ({ error }) => error !== null);
    }),
  );
  expect(deadLetter).toMatchObject({
    cluster: clusterName,
    name: approval.metadata.name,
    errorFrom: 'log',
    error: expect.stringMatching(/forbidden/),
    state: 'open',
    detail: expect.stringMatching(/^it would patch StorageTransferApproval /),
    object: 'Ready Unknown Pending: Longshore has not looked at this object yet',
  });
  await allowed(client, functionName, true);
  const { status, stdout } = await longshore(deployed, ['redrive', ...only]);
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^match-approval: [1-9]\d* moved/)]);
  const [, runId = ''] = /by run (\S+)/.exec(stdout) ?? [];
  await untilLogged(deployed.localAws, [nameOfFunction(deployed, functionName)], (lines) =>
    lines.some((line) => line.message === 'reconciled' && 'runId' in line && line.runId === runId),
  );
  await client.until<TransferApproval>(approval, (found) => found.status?.conditions !== undefined);
  expect(await listed(only)).toEqual([]);
}

test('what is long done is recognised and left, and dropped when that is asked for', async () => {
  await client.until<TransferApproval>(approval, (found) => found.status?.conditions !== undefined);
  // As SQS would have moved it.
  await send(queue.deadLetterUrl, messageAbout(approval));
  const done = await untilListed(only);
  expect(done).toMatchObject({ state: 'done', detail: expect.stringMatching(/^it waits: /) });
  const left = await longshore(deployed, ['redrive', ...only]);
  expect([left.status, left.stdout]).toEqual([0, expect.stringContaining('1 left as done or gone')]);
  await client.delete(approval);
  await client.untilGone(approval);
  expect(await untilListed(only)).toMatchObject({ state: 'gone', object: 'not there' });
  const open = messageAbout({ ...approval, metadata: { ...approval.metadata, name: 'x' } }, { cluster: 'unknown' });
  await send(queue.deadLetterUrl, open);
  const dropped = await longshore(deployed, ['dlq', 'drop', '--done', '--yes', ...only]);
  expect([dropped.status, dropped.stdout]).toEqual([0, expect.stringMatching(/^1 dead letter dropped/)]);
  expect(await listed(only)).toEqual([]);
  expect((await listed(['--function', functionName, '--cluster', 'unknown'])).length).toBeGreaterThan(0);
  await longshore(deployed, ['dlq', 'drop', '--all', '--yes', '--function', functionName, '--cluster', 'unknown']);
});
