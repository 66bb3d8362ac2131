import { InvokeCommand } from '@aws-sdk/client-lambda';
import { PurgeQueueCommand } from '@aws-sdk/client-sqs';
import { afterAll, expect, test } from '@jest/globals';
import { untilLogged } from '../../tools/local/function-logs.ts';
import { ClusterClient, consent, makeTransfer, type Transfer, untilComplete } from '../support/cluster-client.ts';
import { deployedStack, nameOfFunction, queueOf } from '../support/deployed-stack.ts';
import { until } from '../support/patience.ts';
import { longshore } from './case-command.ts';
import { consume, withoutConsumer } from './case-consumer.ts';
import { sentSince } from './case-forward-archive.ts';
import { alone, whileNoneRuns } from './case-forward-function.ts';

/** Another file may have the forwarder for some minutes first. */
const deployed = deployedStack();
const client = new ClusterClient(deployed.kubeconfigPath);

afterAll(() => {
  deployed.sqs.destroy();
  deployed.lambda.destroy();
});

/** What was sent about its volume is kept, some seconds after it was sent. */
async function untilArchived({ volume }: Transfer, since: Date): Promise<void> {
  await until('what was sent about its volume is in the archive', async () => {
    const sent = await sentSince(deployed, since);
    return sent.some(
      (each) => each.function === 'rebind-volume' && JSON.parse(each.body).name === volume.metadata.name,
    );
  });
}

async function isComplete({ request, approval }: Transfer): Promise<boolean> {
  const both = await Promise.all([request, approval].map((each) => client.get(each)));
  return both.every((each) => each?.status?.complete === true);
}

test('a transfer whose messages were lost is completed by replays, with nobody who forwards', async () => {
  await alone(deployed, async () => {
    const since = new Date();
    const transfer = await makeTransfer(client);
    const { url: QueueUrl } = queueOf(deployed, 'rebind-volume');
    await withoutConsumer(deployed, 'rebind-volume', async () => {
      await consent(client, transfer);
      // Its source is released, which the volume's function is told. It may be gone before anyone looks.
      await client.untilGoneOr(transfer.source, ({ metadata }) => 'deletionTimestamp' in metadata);
      await untilArchived(transfer, since);
      await whileNoneRuns(deployed, async () => {
        await deployed.sqs.send(new PurgeQueueCommand({ QueueUrl }));
        await consume(deployed, 'rebind-volume', true);
        expect(await isComplete(transfer)).toBe(false);
        const only = ['--function', 'rebind-volume', '--name', transfer.volume.metadata.name];
        // The first one has the volume given, and another one sees that it is bound.
        await until('the transfer is complete', async () => {
          const args = ['replay', '--from', since.toISOString(), '--cluster', 'local', ...only];
          const { status, stdout, stderr } = await longshore(deployed, args);
          expect([status, stderr]).toEqual([0, expect.stringMatching(/^run replay-\S+\n$/)]);
          expect(stdout).toMatch(/^rebind-volume {2}PersistentVolume +[1-9]/m);
          return isComplete(transfer);
        });
      });
    });
    await untilComplete(client, transfer);
  });
});

test('a replay of everything, while a transfer goes on, changes nothing of what is done', async () => {
  const since = new Date();
  const done = await makeTransfer(client);
  await consent(client, done);
  await untilComplete(client, done);
  await untilArchived(done, since);
  const objects = [done.request, done.approval, done.volume, done.target];
  const versions = async () => {
    return Promise.all(objects.map(async (each) => (await client.get(each))?.metadata.resourceVersion));
  };
  const before = await versions();
  const going = await makeTransfer(client);
  const [{ status, stdout }] = await Promise.all([
    longshore(deployed, ['replay', '--from', '1d']),
    consent(client, going),
  ]);
  expect(status).toBe(0);
  await untilComplete(client, going);
  const [, runId = ''] = /by run (\S+)/.exec(stdout) ?? [];
  const names = ['match-transfer', 'rebind-volume'].map((name) => nameOfFunction(deployed, name));
  await untilLogged(deployed.localAws, names, (lines) => {
    const worked = lines.filter((line) => line.message === 'reconciled' && 'runId' in line && line.runId === runId);
    const keys = new Set(worked.map(({ key }) => key));
    const { namespace, name } = done.request.metadata;
    return keys.has(`${namespace}/${name}`) && keys.has(done.volume.metadata.name);
  });
  expect(await versions()).toEqual(before);
});

test('the function replays as well, by its own rights, and goes on where its time was over', async () => {
  const transfer = await makeTransfer(client);
  const since = new Date();
  await consent(client, transfer);
  await untilComplete(client, transfer);
  await untilArchived(transfer, since);
  const FunctionName = nameOfFunction(deployed, 'replay');
  const invoke = async (event: object) => {
    const { Payload, FunctionError } = await deployed.lambda.send(
      new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }),
    );
    return { FunctionError, ...JSON.parse(Buffer.from(Payload ?? []).toString('utf8')) };
  };
  const answer = await invoke({ from: since.toISOString(), name: transfer.volume.metadata.name });
  expect(answer).toMatchObject({
    isDone: true,
    clusters: ['local'],
    replayed: [{ function: 'rebind-volume', kind: 'PersistentVolume', messages: expect.any(Number) }],
  });
  expect(answer.FunctionError).toBeUndefined();
  // What is done is kept, so that nothing is left to do.
  expect(await invoke({ resume: answer.runId })).toMatchObject({ isDone: true, replayed: answer.replayed });
  expect(await invoke({ from: 'yesterday' })).toMatchObject({
    FunctionError: 'Unhandled',
    errorMessage: expect.stringContaining('from must be a time with a time zone'),
  });
});
