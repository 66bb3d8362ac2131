import { readdir } from 'node:fs/promises';
import {
  CreateFunctionCommand,
  DeleteFunctionCommand,
  GetFunctionConfigurationCommand,
  InvokeCommand,
} from '@aws-sdk/client-lambda';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, expect, test } from '@jest/globals';
import { zipOf } from '../../deployment/bundle/zip.ts';
import { secretName } from '../../tools/local/kubeconfig-secrets.ts';
import { clusterName } from '../../tools/local/local-stack.ts';
import { deployedStack, nameOfFunction, queueOf } from '../support/deployed-stack.ts';

const deployed = deployedStack();
const functions = Object.keys(deployed.stack.functionNames);
const steps = Object.keys(deployed.stack.queues);
/** Who calls no cluster has no role there, and no credentials. */
const roles = await readdir(new URL('../../manifests/rbac', import.meta.url));
const callers = functions.filter((name) => roles.includes(`${name}.yaml`));

afterAll(() => {
  deployed.sqs.destroy();
  deployed.lambda.destroy();
});

test.each(functions)('%s reads its own kubeconfig, if it has one, and no other', async (name) => {
  const client = new SecretsManagerClient(await settingsOf(name));
  const read = (owner: string) =>
    client.send(new GetSecretValueCommand({ SecretId: secretName(deployed.stage, clusterName, owner) }));
  if (callers.includes(name)) expect((await read(name)).SecretString).toContain('"kind":"Config"');
  for (const other of callers.filter((each) => each !== name)) {
    await expect(read(other)).rejects.toMatchObject({ name: expect.stringMatching(/^AccessDenied/) });
  }
  client.destroy();
});

test.each(steps)('%s sends to no queue, and receives from its own alone', async (name) => {
  const client = new SQSClient(await settingsOf(name));
  for (const queue of steps.map((each) => queueOf(deployed, each))) {
    await expect(client.send(sending(queue.url))).rejects.toThrow(/not authorized/);
    await expect(client.send(receiving(queue.deadLetterUrl))).rejects.toThrow(/not authorized/);
  }
  for (const other of steps.filter((each) => each !== name)) {
    await expect(client.send(receiving(queueOf(deployed, other).url))).rejects.toThrow(/not authorized/);
  }
  client.destroy();
});

test.each(functions.filter((name) => !steps.includes(name)))('%s receives from no queue', async (name) => {
  const client = new SQSClient(await settingsOf(name));
  for (const { url, deadLetterUrl } of steps.map((each) => queueOf(deployed, each))) {
    await expect(client.send(receiving(url))).rejects.toThrow(/not authorized/);
    await expect(client.send(sending(deadLetterUrl))).rejects.toThrow(/not authorized/);
  }
  client.destroy();
});

const sending = (QueueUrl: string) =>
  new SendMessageCommand({ QueueUrl, MessageBody: '{}', MessageGroupId: 'group', MessageDeduplicationId: 'message' });
const receiving = (QueueUrl: string) => new ReceiveMessageCommand({ QueueUrl });

const tellCredentials = `export const handler = async () => ({
  accessKeyId: process.env.AWS_ACCESS_KEY_ID,
  secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY,
  sessionToken: process.env.AWS_SESSION_TOKEN,
});`;

interface Keys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
}

/** Only Lambda may take on a function's role, so another function of that role tells its keys. */
async function settingsOf(functionName: string) {
  const { lambda, settings } = deployed;
  const command = new GetFunctionConfigurationCommand({ FunctionName: nameOfFunction(deployed, functionName) });
  const { Role, Runtime } = await lambda.send(command);
  const FunctionName = `role-of-${functionName}`;
  const ZipFile = zipOf({ 'handler.mjs': Buffer.from(tellCredentials) });
  await lambda.send(
    new CreateFunctionCommand({ FunctionName, Role, Runtime, Handler: 'handler.handler', Code: { ZipFile } }),
  );
  try {
    const { Payload } = await lambda.send(new InvokeCommand({ FunctionName }));
    const credentials: Keys = JSON.parse(Buffer.from(Payload ?? []).toString('utf8'));
    return { ...settings, credentials };
  } finally {
    await lambda.send(new DeleteFunctionCommand({ FunctionName }));
  }
}
