import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { untilLogged } from '../../tools/local/function-logs.ts';
import { clustersParameter, storeKubeconfigs } from '../../tools/local/kubeconfig-secrets.ts';
import { clusterName } from '../../tools/local/local-stack.ts';
import { type DeployedStack, type Deployment, deployStack, removeStack } from '../../tools/local-aws/deploy.ts';
import { stackResources } from '../../tools/local-aws/stack.ts';
import { deployedStack } from '../support/deployed-stack.ts';
import { asDeployer, ask, laterRelease, withAllOfSqs } from './case-lifecycle.ts';
import { calledAfter } from './case-lifecycle-left.ts';
import { asOfLaterRelease, asOfPreviousRelease, Messages } from './case-lifecycle-messages.ts';

/** A second deployment beside the one that all other files share, with a key of its own. */
const deployed = deployedStack();
const stage = 'lifecycle';
const name = `longshore-${stage}`;
const functionName = `${name}-match-transfer`;
const s3 = new S3Client({ ...deployed.settings, forcePathStyle: true });
const parameters = {
  clusters: clustersParameter(stage, clusterName),
  capabilities: 'transfers',
  'forward-schedule': 'off',
  'resync-schedule': 'off',
  'kms-key': 'on',
  senders: `arn:aws:iam::${deployed.localAws.accountId}:user/sender-*`,
  // What was at work while its function was replaced comes again so soon.
  'step-timeout-seconds': '5',
  'step-visibility-timeout-seconds': '30',
};
let deployment: Deployment;
let stack: DeployedStack;
let sender: SQSClient;

beforeAll(async () => {
  await storeKubeconfigs(deployed.localAws, deployed.kubeconfigPath, stage, clusterName);
  stack = await deployStack({ localAws: deployed.localAws, stage, parameters });
  // The first deployment makes a bucket that takes no keys but an administrator's without TLS, which is not to be had here.
  deployment = { localAws: await asDeployer(deployed, name), stage, parameters };
  sender = await withAllOfSqs(deployed, 'sender');
});

afterAll(() => {
  for (const client of [deployed.sqs, deployed.lambda, s3, sender]) client.destroy();
});

test('what the parameters leave out is not deployed', () => {
  expect(Object.keys(stack.queues).sort()).toEqual([
    'match-approval',
    'match-claim',
    'match-transfer',
    'rebind-volume',
  ]);
  expect(Object.keys(stack.functionNames)).not.toContain('bind-bucket');
});

test('with senders named, nobody else puts a message on a queue, whatever rights they have', async () => {
  const somebody = await withAllOfSqs(deployed, 'somebody');
  const forged = new Messages(deployed, stack, somebody).send([`forged-${randomUUID()}`], (body) => body);
  await expect(forged).rejects.toMatchObject({ name: 'AccessDenied' });
  somebody.destroy();
});

test('messages of the previous release, sent while this one replaces it, are all worked on', async () => {
  const messages = new Messages(deployed, stack, sender);
  const keys: string[] = [];
  const over = new AbortController();
  const sending = (async () => {
    while (!over.signal.aborted) {
      const names = Array.from({ length: 5 }, () => `before-${randomUUID()}`);
      keys.push(...(await messages.send(names, asOfPreviousRelease)));
      await pause(500, undefined, { signal: over.signal }).catch(() => {});
    }
  })();
  // Of a release that is deployed later: until it is moved back then it is a dead letter, and says why.
  const [later = ''] = await messages.send([`later-${randomUUID()}`], asOfLaterRelease);
  await untilLogged(deployed.localAws, [functionName], (lines) =>
    lines.some(({ error = '' }) => error.includes('has version 2, but this release knows 1: deploy the later release')),
  );
  const root = await laterRelease(deployed.localAws.folder);
  const changed = { ...parameters, 'step-maximum-concurrency': '5', 'log-retention-days': '7' };
  await deployStack({ ...deployment, parameters: changed, root }).finally(() => over.abort());
  await sending;
  expect(keys.length).toBeGreaterThan(10);
  await messages.moveBack([later]);
  await messages.untilReconciled([...keys, later]);
  await messages.untilNoneIsLeft();
  const settings = await ask(deployed, 'logs', {
    target: 'Logs_20140328.DescribeLogGroups',
    body: { logGroupNamePrefix: `/aws/lambda/${functionName}` },
  });
  expect(JSON.parse(settings)).toMatchObject({ logGroups: [{ retentionInDays: 7 }] });
});

test('removing it keeps the archive with its objects, and the key that they need, and nothing else', async () => {
  const made = await stackResources(deployed.settings, name);
  const physical = (id: string) =>
    made.find(({ LogicalResourceId }) => LogicalResourceId === id)?.PhysicalResourceId ?? '';
  const object = { Bucket: physical('ArchiveBucket'), Key: 'cluster=main/segment' };
  await s3.send(new PutObjectCommand({ ...object, Body: 'what was sent' }));
  expect((await calledAfter(deployed, name)).length).toBeGreaterThan(30);

  await removeStack({ ...deployment, parameters: {} });

  expect(await calledAfter(deployed, name)).toEqual([object.Bucket]);
  const { Body } = await s3.send(new GetObjectCommand(object));
  expect(await Body?.transformToString()).toBe('what was sent');
  const KeyId = physical('EncryptionKey');
  const key = await ask(deployed, 'kms', { target: 'TrentService.DescribeKey', body: { KeyId } });
  expect(JSON.parse(key)).toMatchObject({ KeyMetadata: { KeyState: 'Enabled' } });
});
