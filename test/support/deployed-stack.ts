import { LambdaClient } from '@aws-sdk/client-lambda';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { LocalStack } from '../../tools/local/local-stack.ts';
import { clientSettings } from '../../tools/local-aws/local-aws.ts';

const variable = 'LONGSHORE_TEST_STACK';

type Published = ReturnType<typeof published>;

function published({ controlPlane, localAws, stack, deployment: { stage }, driver }: LocalStack) {
  const { stop: _, ...aws } = localAws;
  const snapshots = 'lacking' in driver ? { lacking: driver.lacking } : { folder: driver.folder };
  return { kubeconfigPath: controlPlane.kubeconfigPath, localAws: aws, stack, stage, snapshots };
}

/** Jest's workers are processes of their own, which inherit the environment of the one that set up. */
export function publish(local: LocalStack): void {
  process.env[variable] = JSON.stringify(published(local));
}

/** The stack that this project's set-up has deployed, with clients that have an administrator's keys. */
export function deployedStack() {
  const text = process.env[variable];
  if (!text) throw new Error(`${variable} is not set: run this with jest's project "deploy"`);
  return withClients(JSON.parse(text) as Published);
}

/** The same of a stack that a file has started for itself. */
export function testStackOf(local: LocalStack) {
  return withClients(published(local));
}

function withClients(found: Published) {
  const settings = clientSettings(found.localAws);
  return { ...found, settings, sqs: new SQSClient(settings), lambda: new LambdaClient(settings) };
}

export type TestStack = ReturnType<typeof deployedStack>;

export function queueOf({ stack }: TestStack, functionName: string) {
  const queue = stack.queues[functionName];
  if (!queue) throw new Error(`${functionName} has no queue`);
  return queue;
}

export function nameOfFunction({ stack }: TestStack, functionName: string): string {
  const name = stack.functionNames[functionName];
  if (!name) throw new Error(`${functionName} is not deployed`);
  return name;
}
