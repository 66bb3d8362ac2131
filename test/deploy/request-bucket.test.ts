import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  DescribeRuleCommand,
  EventBridgeClient,
  PutEventsCommand,
  TestEventPatternCommand,
} from '@aws-sdk/client-eventbridge';
import { GetFunctionConfigurationCommand, UpdateFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Bucket, BucketClass } from '../../lib/capabilities/buckets/objects.ts';
import type { Secret } from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { bucketClass, isBound, secretOf } from '../../tools/local/bucket-objects.ts';
import { readLogs, untilLogged } from '../../tools/local/function-logs.ts';
import { clusterName } from '../../tools/local/local-stack.ts';
import { ClusterClient } from '../support/cluster-client.ts';
import { deployedStack, nameOfFunction, queueOf } from '../support/deployed-stack.ts';
import { until } from '../support/patience.ts';

const deployed = deployedStack();
const client = new ClusterClient(deployed.kubeconfigPath);
const events = new EventBridgeClient(deployed.settings);
const functionName = nameOfFunction(deployed, 'request-bucket');
const queue = queueOf(deployed, 'request-bucket');
const suffix = randomBytes(4).toString('hex');
const namespace = `team-${suffix}`;
const source = 'team.billing';
const permissions = {
  requests: [{ source, clusters: [clusterName], namespaces: ['team-*'], classes: ['absent-*', 'served-*'] }],
  adoptions: [{ buckets: ['data-*'], cluster: clusterName, namespace, bucketClass: `existing-${suffix}` }],
};

/** The stack is deployed for all tests, with nothing allowed. */
async function allow(LONGSHORE_BUCKET_REQUESTS: string): Promise<void> {
  const { lambda } = deployed;
  const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName: functionName }));
  const Variables = { ...Environment?.Variables, LONGSHORE_BUCKET_REQUESTS };
  await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName: functionName, Environment: { Variables } }));
}

beforeAll(async () => {
  await client.createNamespace(namespace);
  await allow(JSON.stringify(permissions));
});
afterAll(() => {
  for (const each of [deployed.sqs, deployed.lambda, events]) each.destroy();
});

function detailOf(name: string, different: object = {}) {
  const bucketClassName = `absent-${suffix}`;
  return { action: 'create', cluster: clusterName, namespace, name, bucketClassName, ...different };
}

/** As anybody does who asks; answers the event's id. */
async function put(detail: object, from = source): Promise<string> {
  const entry = { Source: from, DetailType: 'Longshore Bucket Request', Detail: JSON.stringify(detail) };
  const { Entries = [] } = await events.send(new PutEventsCommand({ Entries: [entry] }));
  expect(Entries[0]?.ErrorCode).toBeUndefined();
  return Entries[0]?.EventId ?? '';
}

/** As the rule does. */
async function deliver(event: object): Promise<void> {
  const MessageBody = JSON.stringify(event);
  const MessageDeduplicationId = randomUUID();
  const message = { QueueUrl: queue.url, MessageBody, MessageGroupId: 'bucket-requests', MessageDeduplicationId };
  await deployed.sqs.send(new SendMessageCommand(message));
}

function bucketOf(name: string): Bucket {
  const { apiVersion, kind } = resources.bucket;
  return { apiVersion, kind, metadata: { namespace, name }, spec: { bucketClassName: '', secretName: '' } };
}

async function deadLetterFor(name: string): Promise<[detail: object, reason: string | undefined]> {
  let found: [detail: object, reason: string | undefined] | undefined;
  await until(`there is a dead letter for ${name}`, async () => {
    const command = new ReceiveMessageCommand({ QueueUrl: queue.deadLetterUrl, MessageAttributeNames: ['All'] });
    const [message] = (await deployed.sqs.send(command)).Messages ?? [];
    if (!message) return false;
    const { ReceiptHandle, Body = '', MessageAttributes } = message;
    await deployed.sqs.send(new DeleteMessageCommand({ QueueUrl: queue.deadLetterUrl, ReceiptHandle }));
    if (Body.includes(`"${name}"`)) found = [JSON.parse(Body).detail, MessageAttributes?.reason?.StringValue];
    return found !== undefined;
  });
  return found ?? [{}, undefined];
}

const linesAbout = async (name: string) =>
  (await readLogs(deployed.localAws, [functionName])).filter(({ key }) => key === `${namespace}/${name}`);

test('an event makes a Bucket, its duplicates change nothing, and another event of its source deletes it', async () => {
  const id = await put(detailOf('reports'));
  const made = await client.until(bucketOf('reports'));
  expect(made.metadata.annotations).toMatchObject({
    'longshore.dev/requested-by': source,
    'longshore.dev/requested-from': deployed.localAws.accountId,
    'longshore.dev/request': id,
  });
  expect(made.spec).toEqual({ bucketClassName: `absent-${suffix}`, secretName: 'reports-credentials' });
  const time = new Date().toISOString();
  const event = { id, time, source, account: deployed.localAws.accountId, 'detail-type': 'Longshore Bucket Request' };
  await deliver({ ...event, detail: detailOf('reports') });
  await put(detailOf('reports'));
  await untilLogged(deployed.localAws, [functionName], (lines) => {
    const reasons = lines.filter(({ key }) => key === `${namespace}/reports`).map(({ reason }) => reason);
    return reasons.filter((each) => each === 'Requested').length === 2 && reasons.includes('AsBefore');
  });
  expect((await linesAbout('reports')).filter(({ write }) => write).length).toBe(1);
  const { uid, annotations } = (await client.until(bucketOf('reports'))).metadata;
  expect({ uid, annotations }).toEqual({ uid: made.metadata.uid, annotations: made.metadata.annotations });
  await put({ action: 'delete', cluster: clusterName, namespace, name: 'reports' });
  await client.untilGone(bucketOf('reports'));
});

test('an event is all that it takes to have a bucket, with its credentials where the workload is', async () => {
  const { endpoint, region } = deployed.settings;
  const fields = { releasePolicy: 'Delete', parameters: { endpoint, region } } as const;
  const served = await client.create(bucketClass(`served-${suffix}`, fields));
  await put(detailOf('invoices', { bucketClassName: served.metadata.name }));
  const bound = await client.until<Bucket>(bucketOf('invoices'), isBound);
  const { data } = await client.until<Secret>(secretOf(bound));
  expect(Object.keys(data ?? {})).toEqual(expect.arrayContaining(['BUCKET_NAME', 'AWS_ACCESS_KEY_ID']));
  await put({ action: 'delete', cluster: clusterName, namespace, name: 'invoices' });
  await client.untilGone(bound);
});

test('what is refused is a dead letter that says why', async () => {
  const misspelt = detailOf(`misspelt-${suffix}`, { secret: 'keys' });
  await put(misspelt);
  await put(detailOf(`foreign-${suffix}`), 'team.other');
  const [detail, reason] = await deadLetterFor(`misspelt-${suffix}`);
  expect(detail).toEqual(misspelt);
  expect(reason).toMatch(/^detail\."secret" is unknown: the detail of a create may have /);
  const [, other] = await deadLetterFor(`foreign-${suffix}`);
  expect(other).toMatch(/^source "team.other" of account "\d{12}" may not request anything/);
  expect(await client.get(bucketOf(`foreign-${suffix}`))).toBeUndefined();
});

test('what is refused by the API server is a dead letter that says why', async () => {
  await put(detailOf(`lost-${suffix}`, { namespace: 'team-nowhere' }));
  const [, reason] = await deadLetterFor(`lost-${suffix}`);
  expect(reason).toBe('the API server rejects the bucket: namespaces "team-nowhere" not found');
});

test('a bucket that somebody made is adopted, but not what our own driver made', async () => {
  const { apiVersion, kind } = resources.bucketClass;
  const model: BucketClass = { apiVersion, kind, metadata: { name: `existing-${suffix}` }, provisioner: 'nobody' };
  await client.create(model);
  const command = new GetFunctionConfigurationCommand({ FunctionName: nameOfFunction(deployed, 'provision-bucket') });
  const { Role } = await deployed.lambda.send(command);
  const tell = (bucketName: string, arn = 'arn:aws:iam::111122223333:role/analyst') =>
    deliver({
      id: randomUUID(),
      source: 'aws.s3',
      account: deployed.localAws.accountId,
      time: new Date().toISOString(),
      'detail-type': 'AWS API Call via CloudTrail',
      detail: {
        eventSource: 's3.amazonaws.com',
        eventName: 'CreateBucket',
        requestParameters: { bucketName },
        userIdentity: { type: 'AssumedRole', sessionContext: { sessionIssuer: { arn } } },
      },
    });
  await tell(`data-own-${suffix}`, Role);
  await tell(`data-${suffix}`);
  const bucket = await client.until(bucketOf(`data-${suffix}`));
  const ownClass = { ...model, metadata: { name: bucket.spec.bucketClassName } };
  expect(await client.get(ownClass)).toMatchObject({ bucketIdentifier: `data-${suffix}`, releasePolicy: 'Retain' });
  await untilLogged(deployed.localAws, [functionName], (lines) =>
    lines.some(({ reason }) => reason === 'the driver of this deployment created the bucket'),
  );
  expect(await client.get(bucketOf(`data-own-${suffix}`))).toBeUndefined();
});

test.each([
  ['bucket-request', 'eventbridge.bucket-request.json', true],
  ['bucket-request', 'eventbridge.bucket-created.json', false],
  ['bucket-creation', 'eventbridge.bucket-created.json', true],
  ['bucket-creation', 'eventbridge.bucket-request.json', false],
])('the rule %s takes %s: %s', async (rule, sample, expected) => {
  const Name = `${deployed.stack.stackName}-${rule}`;
  const { EventPattern } = await events.send(new DescribeRuleCommand({ Name }));
  const Event = await readFile(new URL(`../../events/${sample}`, import.meta.url), 'utf8');
  expect((await events.send(new TestEventPatternCommand({ EventPattern, Event }))).Result).toBe(expected);
  const failed = JSON.parse(Event);
  failed.detail.errorCode = 'AccessDenied';
  if (rule !== 'bucket-creation') return;
  const command = new TestEventPatternCommand({ EventPattern, Event: JSON.stringify(failed) });
  expect((await events.send(command)).Result).toBe(false);
});
